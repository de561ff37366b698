// SPDX-License-Identifier: Apache-2.0
// node:http and nothing else: sends the same bytes with the same headers for every request. The baseline of the benchmark.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const body = readFileSync(process.argv[2]!, 'utf8');
const headers = [
  'content-type',
  'application/vnd.apple.mpegurl',
  'content-length',
  String(Buffer.byteLength(body)),
  'cache-control',
  'private, no-cache',
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'content-length, content-range, date, x-request-id',
];

const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
