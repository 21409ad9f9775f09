"""Checks CI files for unthrottled load: reads dialects into jobs, asks rules, renders findings. Runs nothing."""
