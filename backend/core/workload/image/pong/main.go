// Command pong is the small HTTP service that proxies are measured with: GET /ping answers "pong".
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
)

const unixPrefix = "unix:"

func main() {
	log.SetFlags(0)
	log.SetPrefix("pong: ")
	address := flag.String("listen", "0.0.0.0:8080", "`address` as host:port, or unix:/path")
	version := flag.Bool("version", false, "print the Go version that this was built with, and end")
	flag.Parse()
	if *version {
		fmt.Println("pong", runtime.Version())
		return
	}
	listener, err := listen(*address)
	if err != nil {
		log.Fatal(err)
	}
	// GOMAXPROCS(0) asks without setting: what is in force, not what the environment wished for.
	log.Printf("%s NumCPU=%d GOMAXPROCS=%d listening on %s",
		runtime.Version(), runtime.NumCPU(), runtime.GOMAXPROCS(0), *address)
	if err := serve(listener); err != nil {
		log.Fatal(err)
	}
}

// listen opens a TCP address, or a Unix socket that every user may connect to.
func listen(address string) (net.Listener, error) {
	path := strings.TrimPrefix(address, unixPrefix)
	if path == address {
		return net.Listen("tcp", address)
	}
	// A server that was killed leaves its socket file, and bind(2) refuses a name that exists.
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	return listener, os.Chmod(path, 0o666)
}

// serve answers until SIGINT or SIGTERM; no timeouts, because each would cost a timer a request.
func serve(listener net.Listener) error {
	routes := http.NewServeMux()
	routes.HandleFunc("/ping", ping)
	server := &http.Server{Handler: routes}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		<-stop
		server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func ping(answer http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodGet {
		answer.Header().Set("Allow", http.MethodGet)
		http.Error(answer, "GET only", http.StatusMethodNotAllowed)
		return
	}
	io.WriteString(answer, "pong")
}
