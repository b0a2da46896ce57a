"""One command a task: tables for people, JSON for pipes."""
