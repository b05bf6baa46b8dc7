"""Webhooks: messages about ended runs, to Standard Webhooks 1.0.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""
