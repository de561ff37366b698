// SPDX-License-Identifier: Apache-2.0
// What receivers of every type get: e-mail from a real mail server's view, chats, paging services, and groups that two nodes
// add to.
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AlertEvent } from '../../src/platform/alerts/rules/event.ts';
import { deliveriesOf } from '../../src/platform/alerts/rules/notify.ts';
import { createSmtpMail } from '../../src/platform/alerts/webhooks/smtpMail.ts';
import type { Receiver } from '../../src/platform/alerts/webhooks/webhook.ts';
import { naming } from '../naming.ts';
import { opened, scratchFolder } from '../opened.ts';
import { onEachStoreIn } from '../servers/sqlStores.ts';
import { useDeliveryNodes } from './deliveryNodes.ts';
import { startMailServer, startStrangeServer } from './smtpServer.ts';

const folder = scratchFolder();
const mail = await opened(startMailServer());
beforeEach(() => void mail.received.splice(0));

const email = (...to: string[]): Receiver => ({ type: 'email', to, secrets: {} });
const from = 'midroll@example.com';

/** A greeting that does not end. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('220-x\r\n'), 20);
  socket.on('close', () => clearInterval(timer));
}

onEachStoreIn(folder, (openStore) => {
  const { of, sendAll, add, log, later, receiver, now } = useDeliveryNodes(openStore);
  const smtp = () => ({ url: `smtp://${mail.address}`, from });
  const strange: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of strange.splice(0)) await close();
  });

  const event = (nth: number, more: Partial<AlertEvent> = {}): AlertEvent => ({
    ...{
      id: `evt_${nth}`,
      tenant: 't',
      at: now(),
      state: 'firing',
      alert: `evt_${nth}`,
      since: now(),
      severity: 'critical',
    },
    ...{ rule: { id: 'r', name: 'Low fill', kind: 'fill' }, channel: { id: `c${nth}` }, text: `Low fill on c${nth}.` },
    ...more,
  });
  /** What a node stores when alerts fire. */
  const fire = async (id: string, events: readonly AlertEvent[], { grouped = true, node = 0 } = {}) => {
    for (const one of events) await of(node).deliveries.add(deliveriesOf(one, [id], [{ id, grouped }]));
  };
  const many = (count: number, from = 1) => Array.from({ length: count }, (_, nth) => event(from + nth));

  test('twelve channels become one e-mail, which can be threaded and is urgent', async () => {
    await add({ id: 'mail', ...email('ann@example.com', 'bob@example.com') }, true);
    await fire('mail', many(12));
    await sendAll(0, { smtp: smtp() });
    expect(mail.received).toEqual([]);
    later(20_000);
    await sendAll(0, { smtp: smtp() });
    expect(mail.received).toMatchObject([{ from, to: ['ann@example.com', 'bob@example.com'] }]);
    const [{ text }] = mail.received as never as [{ text: string }];
    expect(text).toEqual(naming('12 channels', 'c1, c2 and 10 more', 'X-Priority: 1', 'Auto-Submitted', '- c12'));
    const [{ id, state, log: attempts }] = (await log('/mail')) as never as [
      { id: string; state: string; log: object[] },
    ];
    expect(text).toEqual(naming(`Message-ID: <${id}@example.com>`));
    expect([state, attempts]).toMatchObject(['delivered', [{ status: 250 }]]);
  });

  test('two nodes that add to a group at once lose no event', async () => {
    await add({ id: 'chat', type: 'slack', secrets: { url: `${receiver().url}/chat` } }, true);
    await Promise.all([0, 1].map((node) => fire('chat', many(30, 1 + node * 30), { node })));
    later(20_000);
    await Promise.all([sendAll(0), sendAll(1), fire('chat', many(5, 100))]);
    later(20_000);
    await sendAll(1);
    const bodies = (await log('/chat')).map(({ body }) => JSON.parse(`[${body}]`) as { id: string }[]);
    expect(new Set(bodies.flat().map(({ id }) => id)).size).toBe(65);
    expect(bodies.flat()).toHaveLength(65);
    expect(receiver().at('/chat')).toHaveLength(bodies.length);
    expect(bodies.length).toBeLessThan(4);
  });

  test('a group of very many channels is several messages', async () => {
    await add({ id: 'chat', type: 'slack', secrets: { url: `${receiver().url}/chat` } }, true);
    const text = 'x'.repeat(30_000);
    await fire(
      'chat',
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((nth) => event(nth, { text })),
    );
    later(20_000);
    await sendAll();
    expect(receiver().at('/chat')).toHaveLength(2);
  });

  test('a paging service gets an incident that opens and ends once', async () => {
    const routing = { routingKey: 'R0UT1NG' };
    await add({ id: 'page', type: 'pagerduty', url: `${receiver().url}/page`, secrets: routing }, true);
    await fire('page', many(2));
    later(20_000);
    await sendAll(0, { firing: [{ alert: 'evt_1', isAcknowledged: false }] });
    await fire('page', [event(3, { alert: 'evt_1', state: 'resolved' })]);
    later(20_000);
    await sendAll(0, { firing: [{ alert: 'evt_2', isAcknowledged: false }] });
    await fire('page', [event(4, { alert: 'evt_2', state: 'resolved' })]);
    later(20_000);
    await sendAll();
    const [trigger, resolve] = receiver()
      .at('/page')
      .map(({ message }) => message);
    expect(trigger).toMatchObject({
      routing_key: 'R0UT1NG',
      event_action: 'trigger',
      payload: { severity: 'critical' },
    });
    expect(resolve).toEqual({ routing_key: 'R0UT1NG', event_action: 'resolve', dedup_key: trigger.dedup_key });
    expect(receiver().at('/page')).toHaveLength(2);
    expect(await log('/page')).toMatchObject([{ state: 'delivered' }, { log: [{ reason: naming('1') }] }, {}]);
  });

  test('addresses that are rejected are not tried again; a server without space is', async () => {
    const full = await startMailServer({
      onMailFrom: (_address, _session, done) => done(Object.assign(new Error('Try later'), { responseCode: 452 })),
    });
    const strict = await startMailServer({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('No such user'), { responseCode: 550 })),
    });
    strange.push(full.close, strict.close);
    for (const [id, { address }] of [
      ['full', full],
      ['strict', strict],
    ] as const) {
      await add({ id, ...email('ann@example.com') });
      await fire(id, [event(1)], { grouped: false });
      await sendAll(0, { smtp: { url: `smtp://${address}`, from } });
    }
    expect(await log('/full')).toMatchObject([
      { state: 'pending', log: [{ status: 452, excerpt: naming('Try later') }] },
    ]);
    expect(await log('/strict')).toMatchObject([{ state: 'failed', log: [{ status: 550 }] }]);
  });

  test('a password is never sent without encryption, and a certificate is verified', async () => {
    const seen: string[] = [];
    const plain = await startStrangeServer('220 plain\r\n', (line) => {
      seen.push(line);
      return line.startsWith('EHLO') ? '250-plain\r\n250 AUTH PLAIN LOGIN' : '502 no';
    });
    strange.push(plain.close);
    await add({ id: 'mail', ...email('ann@example.com') });
    await fire('mail', [event(1)], { grouped: false });
    for (const address of [plain.address, mail.address]) {
      await sendAll(0, { smtp: { url: `smtp://ann:pa55word@${address}`, from } });
      later(60_000);
    }
    expect(seen.join()).not.toMatch(/AUTH|pa55word|MAIL FROM/);
    expect(mail.received).toEqual([]);
    const [{ state, log: attempts }] = (await log('/mail')) as never as [{ state: string; log: { reason: string }[] }];
    expect([state, attempts.length]).toEqual(['pending', 2]);
    expect(JSON.stringify(attempts)).not.toContain('pa55word');
  });

  test('a password is sent over TLS', async () => {
    const logins: string[] = [];
    const server = await startMailServer({
      authOptional: false,
      onAuth({ username = '', password = '' }, { secure }, done) {
        logins.push(`${username} ${password} ${secure}`);
        done(null, { user: username });
      },
    });
    strange.push(server.close);
    await add({ id: 'mail', ...email('ann@example.com') });
    await fire('mail', [event(1)], { grouped: false });
    const url = `smtp://ann:pa55word@${server.address}?tls.rejectUnauthorized=false`;
    await sendAll(0, { smtp: { url, from } });
    expect([logins, server.received.length]).toEqual([['ann pa55word true'], 1]);
  });

  test('without SMTP_URL, e-mail waits', async () => {
    await add({ id: 'mail', ...email('ann@example.com') });
    await fire('mail', [event(1)], { grouped: false });
    await sendAll();
    expect(await log('/mail')).toMatchObject([{ state: 'pending', log: [{ reason: naming('SMTP_URL') }] }]);
  });

  test.each([
    ['closes at once', undefined, (_line: string, socket: { destroy(): void }) => void socket.destroy()],
    ['sends no greeting', undefined, () => undefined],
    ['greets and never answers', '220 hello\r\n', () => undefined],
    ['is no mail server', 'HTTP/1.1 400 Bad Request\r\n\r\n', () => 'HTTP/1.1 400 Bad Request'],
    ['turns clients away', '554 no\r\n', () => '554 no'],
    ['drips', drip, () => undefined],
  ] as const)('a server that %s delays no other receiver, and is tried again', async (what, greeting, respond) => {
    const server = await startStrangeServer(greeting, (line, socket) => {
      const reply = respond(line, socket);
      return typeof reply === 'string' ? reply : undefined;
    });
    strange.push(server.close);
    await add({ id: 'mail', ...email('ann@example.com') });
    await add({ id: 'chat', type: 'slack', secrets: { url: `${receiver().url}/chat` } });
    for (const id of ['mail', 'chat']) await fire(id, [event(1)], { grouped: false });
    await sendAll(0, { smtp: { url: `smtp://${server.address}`, from }, mailMs: 700 });
    expect([what, receiver().at('/chat').length]).toEqual([what, 1]);
    expect(await log('/mail')).toMatchObject([{ state: 'pending', log: [{ reason: expect.any(String) }] }]);
  });
});

test('a mail server that fails is logged once, and once when it works again', async () => {
  let isFull = true;
  const logged: string[] = [];
  const server = await startMailServer({
    onMailFrom: (_address, _session, done) =>
      done(isFull ? Object.assign(new Error('Try later'), { responseCode: 452 }) : null),
  });
  const send = createSmtpMail({ url: `smtp://${server.address}`, from }, { log: (message) => logged.push(message) });
  const message = {
    kind: 'mail',
    to: ['a@example.com'],
    id: 'm',
    subject: 's',
    text: 't',
    isUrgent: false,
    thread: 't',
  } as const;
  for (const full of [true, true, false, false]) {
    isFull = full;
    await send(message);
  }
  expect(logged).toEqual([naming('fails'), naming('works again')]);
  await server.close();
});
