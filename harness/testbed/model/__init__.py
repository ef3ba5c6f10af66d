"""The model: an OpenAI-compatible server that plays scripted turns and keeps nothing between requests."""
