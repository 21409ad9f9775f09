"""What the HTML report is made of: markup, style, charts and sections. Knows neither files nor browsers' scripts."""
