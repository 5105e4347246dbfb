"use strict";
// The sandbox's first process while dependencies are fetched. There is no network in there: this relay listens on the
// loopback address and carries each connection to the executor's socket, which decides what is served. Then it runs
// the given program and ends with its exit code.
//
// Arguments: SOCKET PORT PROGRAM ARGUMENT...
const net = require("node:net");
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const [socket, port, program, ...args] = process.argv.slice(2);

// Each side may end while the other still has bytes to read: only an error cuts a connection short. A busy client reads
// late, and what it has not read yet must not be thrown away because the executor was done sending.
const server = net.createServer({ allowHalfOpen: true }, (client) => {
  const upstream = net.connect({ path: socket, allowHalfOpen: true });
  const cut = () => {
    client.destroy();
    upstream.destroy();
  };
  client.on("error", cut);
  upstream.on("error", cut);
  client.pipe(upstream);
  upstream.pipe(client);
});

server.on("error", (error) => {
  process.stderr.write(`fetch relay: ${error.message}\n`);
  process.exit(125);
});

server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("error", (error) => {
    process.stderr.write(`fetch relay: ${error.message}\n`);
    process.exit(127);
  });
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
});
