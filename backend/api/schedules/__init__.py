"""Schedules: experiments that are started again at times of a cron expression."""
