"""The agents' runtime: A2A v1.0 over JSON-RPC and SSE, as the openJiuwen runtime writes it."""
