"""How application servers are started: units, Dockerfiles, scripts, gunicorn's configuration. Runs none of them."""
