"""The part of solders that the quick starts use."""
