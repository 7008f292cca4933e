// Runs the engine of Perfetto's user interface (ENGINE: its engine_bundle.js, with its .wasm beside it) outside of a browser:
// node trace_processor.js ENGINE. Requests come on standard input and replies go to standard output, as the engine has them.
"use strict";
const { readFileSync, writeSync } = require("node:fs");
const { dirname, join } = require("node:path");
const vm = require("node:vm");

const { argv, stdin } = process;
globalThis.process = undefined; // the engine takes itself to be in a worker of a page
console.log = console.warn = console.error = () => {};
globalThis.self = globalThis;
globalThis.location = { href: "http://localhost/" };
globalThis.WorkerGlobalScope = Object;
globalThis.XMLHttpRequest = class {
    open(_method, name) {
        this.path = join(dirname(argv[2]), name);
    }
    send() {
        this.response = readFileSync(this.path);
    }
};
vm.runInThisContext(readFileSync(argv[2], "utf8"), { filename: "engine" });

const port = {
    postMessage(reply) {
        for (let at = 0; at < reply.length; ) at += writeSync(1, reply, at);
    },
};
self.onmessage({ data: port });
stdin.on("data", (chunk) => port.onmessage({ data: new Uint8Array(chunk) }));
