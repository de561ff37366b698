// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readShared } from './sharedReads.ts';

// If this fails with a new version of Node, plain GETs are still answered: their bytes are read as usual, which costs more.
test('connections of a server read into one buffer', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const reads: { text: string; bytes: Buffer }[] = [];
  for (const text of ['one', 'other']) {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect(port, '127.0.0.1');
    const [socket] = await accepted;
    const read = new Promise<void>((resolve) =>
      readShared(socket, (length, bytes) => {
        reads.push({ text: bytes.toString('latin1', 0, length), bytes });
        resolve();
        return true;
      }),
    );
    client.end(text);
    await read;
    socket.destroy();
  }
  await new Promise((resolve) => server.close(resolve));
  expect(reads.map(({ text }) => text)).toEqual(['one', 'other']);
  expect(reads[0]?.bytes).toBe(reads[1]?.bytes);
});
