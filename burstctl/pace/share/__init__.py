"""One ceiling for several jobs: who may use which part of it now. Knows nothing of requests and answers."""
