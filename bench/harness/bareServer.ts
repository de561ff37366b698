// SPDX-License-Identifier: Apache-2.0
// node:http and nothing else: sends the same response to every request. The baseline of the benchmarks. Parameter: a file with
// a Sample as JSON.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sample } from './sample.ts';

const { status, headers, body: encoded } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as Sample;
const bytes = Buffer.from(encoded, 'base64');
/** Node sends head and body in one write if both are text. Larger bodies are cheaper to write as they are. */
const MOST_TEXT = 64 * 1024;
const isText = bytes.length < MOST_TEXT && bytes.every((byte) => byte < 0x80);
const text = isText ? bytes.toString('latin1') : '';

const server = createServer((_request, response) => {
  response.writeHead(status, [...headers]);
  if (isText) response.end(text, 'latin1');
  else response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
