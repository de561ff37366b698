// SPDX-License-Identifier: Apache-2.0
// What happens to a connection besides its requests: time-outs, limits, slow and vanished clients, and the end of the server.
import { Agent, request as nodeRequest } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { closeAfterResponses } from '../../../composition/ending.ts';
import { closeServer } from '../../../composition/listening.ts';
import { type ConnectionLimits, limitConnections } from '../../limitConnections.ts';
import type { LiveRequest, LiveResponse } from '../exchange.ts';
import { dropStalled } from '../server.ts';
import { LiveServer } from './liveServer.ts';

const servers: LiveServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** More than the buffers of a loopback connection. */
const LONG = 'long '.repeat(2 ** 22);

/** A response that a test sends when it likes. */
type Held = { readonly url: string; readonly response: LiveResponse; send(): void };

type Started = {
  readonly server: LiveServer;
  readonly port: number;
  readonly held: Held[];
  readonly sockets: (Socket & { parser?: unknown })[];
  open(): Socket;
};

function send(response: LiveResponse, body: string): void {
  response.writeHead(200, ['content-length', String(body.length)]);
  response.end(body);
}

async function start(isFast: boolean, limits: Partial<ConnectionLimits> = {}): Promise<Started> {
  const held: Held[] = [];
  const handle = ({ url = '' }: LiveRequest, response: LiveResponse) => {
    if (url.startsWith('/held')) held.push({ url, response, send: () => send(response, url) });
    else send(response, url === '/long' ? LONG : url);
  };
  const server = new LiveServer({ connectionsCheckingInterval: 20 }, handle, isFast);
  servers.push(server);
  limitConnections(server, {
    headerTimeout: 60_000,
    idleTimeout: 60_000,
    perAddress: 0,
    isExempt: () => false,
    onRefused: () => {},
    ...limits,
  });
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, port, held, sockets, open: () => connect(port, '127.0.0.1').on('error', () => {}) };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

const closeOf = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

/** Everything that the server sends until it closes the connection. */
async function restOf(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (part) => {
    text += part;
  });
  await closeOf(socket);
  return text;
}

/** Waits for a response whose body ends with a text. */
const received = (socket: Socket, end: string): Promise<string> =>
  new Promise((resolve) => {
    const parts: string[] = [];
    let tail = '';
    const add = (part: Buffer) => {
      parts.push(part.toString('latin1'));
      tail = (tail + parts.at(-1)).slice(-end.length);
      if (tail !== end) return;
      socket.off('data', add);
      resolve(parts.join(''));
    };
    socket.on('data', add);
  });

async function ask(socket: Socket, path: string): Promise<string> {
  const answer = received(socket, path);
  socket.write(get(path));
  return answer;
}

describe.each([
  ['fast', true],
  ['node:http', false],
] as const)('%s', (_, isFast) => {
  test('a client that sends nothing gets a 408', async () => {
    const { open } = await start(isFast, { headerTimeout: 100 });
    expect(await restOf(open())).toContain('HTTP/1.1 408 ');
  });

  test('a client that stops within its second head gets a 408', async () => {
    const { open } = await start(isFast, { headerTimeout: 100 });
    const socket = open();
    await ask(socket, '/one');
    socket.write('GET /two HTTP/1.1\r\nHo');
    expect(await restOf(socket)).toContain('HTTP/1.1 408 ');
  });

  test('a connection is closed when it is idle for the limit', async () => {
    const { open } = await start(isFast, { idleTimeout: 50 });
    const socket = open();
    expect(await ask(socket, '/one')).toContain('Connection: keep-alive\r\nKeep-Alive: timeout=0\r\n');
    expect(await restOf(socket)).toBe('');
  });

  test('the limits of heads and of idle connections do not apply while a response is awaited', async () => {
    const { open, held, sockets } = await start(isFast, { headerTimeout: 30, idleTimeout: 30 });
    const socket = open();
    socket.write(get('/held'));
    await expect.poll(() => held.length).toBe(1);
    // The next timer of this length ends after those of the connection.
    const witness = open();
    await restOf(witness);
    const answer = received(socket, '/held');
    expect(sockets[0]!.destroyed).toBe(false);
    held[0]!.send();
    expect(await answer).toContain('HTTP/1.1 200 OK');
  });

  test('responses are sent in the order of requests', async () => {
    const { open, held } = await start(isFast);
    const socket = open();
    const answers = received(socket, '/last');
    socket.write(get('/held/1'));
    await expect.poll(() => held.length).toBe(1);
    socket.write(get('/two'));
    await turn();
    socket.write(get('/held/3') + get('/four'));
    await turn();
    socket.write(get('/last'));
    held[0]!.send();
    await expect.poll(() => held.length).toBe(2);
    held[1]!.send();
    const bodies = (await answers).split(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/);
    expect(bodies).toEqual(['', '/held/1', '/two', '/held/3', '/four', '/last']);
  });

  test('a client that reads nothing is dropped, and one that requests nothing is not', async () => {
    const { server, open, sockets } = await start(isFast);
    dropStalled(server, 60);
    const idle = open();
    await ask(idle, '/one');
    open().write(get('/long'));
    await expect.poll(() => sockets[1]?.writableLength ?? 0).toBeGreaterThan(0);
    await closeOf(sockets[1]!);
    expect(sockets[0]!.destroyed).toBe(false);
    expect(await ask(idle, '/two')).toContain('200 OK');
  });

  test('while a response is not read, no further request is handled', async () => {
    const { open, held, sockets } = await start(isFast);
    const socket = open();
    socket.pause();
    socket.write(get('/long'));
    await expect.poll(() => sockets[0]?.writableLength ?? 0).toBeGreaterThan(0);
    const sent = get('/held');
    socket.write(sent);
    await expect.poll(() => sockets[0]!.bytesRead).toBe(get('/long').length + sent.length);
    await turn();
    const before = held.length;
    socket.resume();
    await expect.poll(() => held.length).toBe(1);
    if (isFast) expect(before).toBe(0);
  });

  test('a client that is gone before its response does no harm', async () => {
    const { open, held, sockets } = await start(isFast);
    for (const leave of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
      const socket = open();
      socket.write(get('/held'));
      await expect.poll(() => held.length).toBe(1);
      const gone = closeOf(sockets.at(-1)!);
      leave(socket);
      await gone;
      held.pop()!.send();
    }
    expect(await ask(open(), '/alive')).toContain('200 OK');
  });

  test('a client that is gone in the middle of a response does no harm', async () => {
    const { open, sockets } = await start(isFast);
    const socket = open();
    socket.write(get('/long'));
    await expect.poll(() => sockets[0]?.writableLength ?? 0).toBeGreaterThan(0);
    const gone = closeOf(sockets[0]!);
    socket.resetAndDestroy();
    await gone;
    expect(await ask(open(), '/alive')).toContain('200 OK');
  });

  test('a late failure closes the connection of its own response only', async () => {
    const { open, held } = await start(isFast);
    const socket = open();
    const first = received(socket, '/held/1');
    socket.write(get('/held/1'));
    await expect.poll(() => held.length).toBe(1);
    held[0]!.send();
    await first;
    held[0]!.response.destroy();
    expect(await ask(socket, '/two')).toContain('200 OK');
    socket.write(get('/held/3'));
    await expect.poll(() => held.length).toBe(2);
    held[1]!.response.writeHead(200, ['content-length', '10']);
    held[1]!.response.destroy();
    expect(await restOf(socket)).toBe('');
  });

  test('while the server drains, each response closes its connection', async () => {
    const { server, open, held } = await start(isFast);
    const [idle, busy] = [open(), open()];
    await ask(idle, '/one');
    busy.write(get('/held'));
    await expect.poll(() => held.length).toBe(1);
    closeAfterResponses(server);
    const rest = restOf(idle);
    idle.write(get('/two'));
    expect(await rest).toMatch(/connection: close\r\n[\s\S]*\/two$/i);
    // A response that was begun before does not have to.
    const answer = received(busy, '/held');
    held[0]!.send();
    await answer;
    const last = restOf(busy);
    busy.write(get('/three'));
    expect(await last).toMatch(/connection: close\r\n[\s\S]*\/three$/i);
  });

  test('closing the server waits for responses, and ends idle connections', async () => {
    const { server, open, held } = await start(isFast);
    const [idle, busy] = [open(), open()];
    await ask(idle, '/one');
    busy.write(get('/held'));
    await expect.poll(() => held.length).toBe(1);
    const rest = restOf(idle);
    const answer = restOf(busy);
    const closed = closeServer(server);
    expect(await rest).toBe('');
    held[0]!.send();
    expect(await answer).toContain('200 OK');
    await closed;
  });

  test('closeAllConnections ends connections of every kind', async () => {
    const { server, open, held, sockets } = await start(isFast);
    const [fresh, idle, busy, split] = [open(), open(), open(), open()];
    await ask(idle, '/one');
    busy.write(get('/held'));
    split.write('GET /');
    await expect.poll(() => [held.length, sockets.length]).toEqual([1, 4]);
    const ends = [fresh, idle, busy, split].map(restOf);
    server.closeAllConnections();
    expect(await Promise.all(ends)).toEqual(['', '', '', '']);
    await expect.poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(0);
  });

  test('the limit of connections per address counts all of them', async () => {
    const refused: string[] = [];
    const { open } = await start(isFast, { perAddress: 2, onRefused: (address) => refused.push(address) });
    const [one, other] = [open(), open()];
    await ask(one, '/one');
    other.write('GET /');
    expect(await restOf(open())).toBe('');
    expect(refused).toEqual(['127.0.0.1']);
    one.destroy();
    await expect
      .poll(async () => {
        const socket = open();
        socket.write(get('/again'));
        const answer = await Promise.race([received(socket, '/again'), closeOf(socket).then(() => '')]);
        socket.destroy();
        return answer;
      })
      .toContain('200 OK');
  });

  test('an agent of node:http keeps its connection', async () => {
    const { port, sockets } = await start(isFast);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const path of ['/one', '/two']) {
      const text = await new Promise((resolve, reject) => {
        nodeRequest({ port, path, agent }, (response) => {
          let body = '';
          response.on('data', (part) => {
            body += part;
          });
          response.on('end', () => resolve(body));
        })
          .on('error', reject)
          .end();
      });
      expect(text).toBe(path);
    }
    agent.destroy();
    expect(sockets.length).toBe(1);
    expect(sockets.map(({ parser }) => parser === undefined)).toEqual([isFast]);
  });
});

test('two servers do not share connections', async () => {
  const [one, other] = [await start(true), await start(true)];
  const sockets = [one.open(), other.open()] as const;
  await Promise.all(sockets.map((socket) => ask(socket, '/one')));
  const closed = restOf(sockets[0]);
  one.server.closeAllConnections();
  await closed;
  expect(await ask(sockets[1], '/two')).toContain('200 OK');
});

test('a listener that is added later sees every request from then on', async () => {
  const { server, open } = await start(true);
  const seen: (string | undefined)[] = [];
  const socket = open();
  await ask(socket, '/one');
  server.prependListener('request', ({ url }: LiveRequest) => seen.push(url));
  await ask(socket, '/two');
  await ask(open(), '/three');
  expect(seen).toEqual(['/two', '/three']);
});
