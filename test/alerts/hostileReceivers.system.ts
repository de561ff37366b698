// SPDX-License-Identifier: Apache-2.0
// Receivers that hang, drip, redirect or never end, and addresses that must not be reached.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Delivery } from '../../src/platform/alerts/webhooks/delivery.ts';
import { scratchFolder } from '../opened.ts';
import { onEachStoreIn } from '../servers/sqlStores.ts';
import { useDeliveryNodes } from './deliveryNodes.ts';

const folder = scratchFolder();

onEachStoreIn(folder, (openStore) => {
  const { sender, sendAll, addWebhook, deliver, log, receiver, now } = useDeliveryNodes(openStore);

  test('redirects are not followed', async () => {
    await addWebhook('/moved');
    receiver().respond('/moved', (response) => void response.writeHead(307, { location: '/elsewhere' }).end());
    await deliver('/moved');
    await sendAll();
    expect(receiver().received.map(({ path }) => path)).toEqual(['/moved']);
    expect(await log('/moved')).toMatchObject([{ state: 'pending', log: [{ status: 307 }] }]);
  });

  test('receivers that never respond, or are dead, delay no other', async () => {
    await addWebhook('/slow');
    await addWebhook('/dead', 'http://127.0.0.1:9/');
    await addWebhook('/quick');
    receiver().respond('/slow', () => {});
    for (const path of ['/slow', '/dead', '/quick']) await deliver(path);
    const one = sender(0, { timeoutMs: 500 });
    await one.sendDue();
    await expect.poll(() => receiver().at('/quick').length).toBe(1);
    await one.stop();
    for (const path of ['/slow', '/dead']) {
      const [attempt] = (await log(path))[0]!.log;
      expect(attempt).toEqual({ at: now(), durationMs: expect.any(Number), reason: expect.any(String) });
    }
    expect(await log('/quick')).toMatchObject([{ state: 'delivered' }]);
  });

  test('a tenant whose receivers never respond delays no other tenant', async () => {
    for (let nth = 0; nth < 40; nth += 1) {
      await addWebhook(`/hangs-${nth}`, `${receiver().url}/hangs`, 'a');
      await deliver(`/hangs-${nth}`, 4, 'a');
    }
    receiver().respond('/hangs', () => {});
    await addWebhook('/quick', `${receiver().url}/quick`, 'z');
    await deliver('/quick', 1, 'z');
    const one = sender(0, { timeoutMs: 300_000 });
    await one.sendDue();
    await expect.poll(() => receiver().at('/quick').length).toBe(1);
    const held = receiver().at('/hangs').length;
    expect([held > 0, held < 160]).toEqual([true, true]);
    receiver().endConnections();
    await one.stop();
  });

  test('responses of one byte at a time, and endless headers, end at the deadline', async () => {
    const drip = (response: ServerResponse, next: () => string): void => {
      const timer = setInterval(() => response.socket?.write(next()), 20);
      response.on('close', () => clearInterval(timer));
    };
    const slowHeaders = 'HTTP/1.1 200 OK\r\n'.padEnd(10_000, 'x');
    let at = 0;
    receiver().respond('/header', (response) => drip(response, () => slowHeaders[at++]!));
    receiver().respond('/informed', (response) => drip(response, () => 'HTTP/1.1 103 Early Hints\r\n\r\n'));
    receiver().respond('/body', (response) => {
      response.writeHead(500, { 'content-length': 1_000_000 }).flushHeaders();
      drip(response, () => 'x');
    });
    receiver().respond(
      '/headers',
      (response) => void response.socket?.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(50_000)}`),
    );
    receiver().respond('/garbage', (response) => void response.socket?.end('220 mail.example ESMTP\r\n'));
    for (const path of ['/header', '/informed', '/body', '/headers', '/garbage']) {
      await addWebhook(path);
      await deliver(path);
    }
    await sendAll(0, { timeoutMs: 700 });
    for (const path of ['/header', '/informed', '/headers', '/garbage']) {
      const [{ state, log: attempts }] = (await log(path)) as [Delivery];
      expect([path, state, attempts]).toEqual([
        path,
        'pending',
        [{ at: now(), durationMs: expect.any(Number), reason: expect.any(String) }],
      ]);
    }
    expect(await log('/body')).toMatchObject([
      { state: 'pending', log: [{ status: 500, excerpt: expect.stringMatching(/^x+$/) }] },
    ]);
  });

  test.each([
    ['127.1', 'loopback'],
    ['2130706433', 'loopback'],
    ['0x7f.0.0.1', 'loopback'],
    ['0177.0.0.1', 'loopback'],
    ['0', 'unspecified'],
    ['localhost', 'loopback'],
    ['10.0.0.1', 'private'],
    ['169.254.169.254', 'link local'],
    ['[::1]', 'loopback'],
    ['[::ffff:169.254.169.254]', 'link local'],
    ['[fe80::1]', 'link local'],
    ['[fd00:ec2::254]', 'unique local'],
    ['[64:ff9b::a9fe:a9fe]', 'rfc6052'],
  ])('%s is not connected to', async (host, range) => {
    await addWebhook('/target', `http://${host}:${new URL(receiver().url).port}/target`);
    await deliver('/target');
    await sendAll(0, { allow: [] });
    expect(receiver().received).toEqual([]);
    const [{ log: attempts }] = (await log('/target')) as [Delivery];
    expect(attempts).toMatchObject([{ reason: expect.stringMatching(`(?=.*${range})(?=.*EGRESS_ALLOW)`) }]);
  });

  test('of an endless response, only the start is read', async () => {
    for (const [path, status] of [
      ['/endless', 500],
      ['/endlessly-well', 200],
    ] as const) {
      await addWebhook(path);
      receiver().respond(path, (response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.writeHead(status).on('drain', more);
        more();
      });
      await deliver(path);
    }
    await sendAll();
    const [failed] = await log('/endless');
    expect(failed).toMatchObject({ state: 'pending', log: [{ status: 500 }] });
    expect(failed!.log[0]!.excerpt).toHaveLength(500);
    expect(await log('/endlessly-well')).toMatchObject([{ state: 'delivered' }]);
  });

  test('addresses that are not public need EGRESS_ALLOW', async () => {
    await addWebhook('/private');
    await deliver('/private');
    await sendAll(0, { allow: [] });
    expect(receiver().received).toEqual([]);
    expect(await log('/private')).toMatchObject([
      { state: 'pending', log: [{ reason: expect.stringContaining('EGRESS_ALLOW') }] },
    ]);
  });
});
