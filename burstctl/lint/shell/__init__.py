"""The shell text of CI jobs as commands. Knows no CI system and no load tool."""
