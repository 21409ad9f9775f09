"""One run sent by several processes: interleaved shares of one schedule, one summary, one verdict."""
