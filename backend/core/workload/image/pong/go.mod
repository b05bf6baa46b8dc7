module pong

go 1.19
