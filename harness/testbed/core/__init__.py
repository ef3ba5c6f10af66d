"""The agents' own half: what an agent core hands to its runtime, chunk by chunk. No A2A here."""
