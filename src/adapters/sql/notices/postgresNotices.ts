// SPDX-License-Identifier: Apache-2.0
// Notices of PostgreSQL: triggers send them with NOTIFY, and one connection listens. Each check sends an echo, a notice to this
// process, through the pool that also writes. Notices arrive in the order of the commits, so that the arrival of an echo proves
// that all notices before it have arrived, and that nothing between here and the server swallows them.
import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { isTopic, type NoticeListener, type NoticeSource } from '../../../notices/ports.ts';
import { type Timer, type Timers, within } from '../../../time/clock.ts';
import { shareRunning } from '../../../time/shareRunning.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { Database } from '../sqlSchema.ts';

type PostgresNoticesDeps = {
  readonly url: string;
  /** The pool. */
  readonly db: Kysely<Database>;
  readonly connectMs: number;
  readonly now: () => Millis;
  readonly timers: Timers;
};

/** The channel that the triggers notify. */
const CHANNEL = 'midroll';
/** Milliseconds between attempts to connect: the first, and the longest. */
const RECONNECT = { first: 250, most: 10_000 };
/** After this many checks without an echo, the connection is replaced. */
const SILENT_CHECKS = 4;
/** Milliseconds to wait for the server, and for an echo after the server has responded. */
const RESPONSE_MS = 2000;
const SETTLE_MS = 200;
const POOLER =
  'the database responds, but notices do not come back: a connection pooler in transaction mode does not pass them on';

export function postgresNotices({ url, db, connectMs, now, timers }: PostgresNoticesDeps): NoticeSource {
  const echoChannel = `midroll_echo_${randomBytes(8).toString('hex')}`;
  let listener: NoticeListener | undefined;
  let connection: ListenConnection | undefined;
  let reason = 'the connection is being opened';
  let delay = RECONNECT.first;
  let timer: Timer | undefined;
  let sent = 0;
  let silent = 0;
  let onEcho: ((number: number) => void) | undefined;
  /** What to add to the server's clock to get that of this process. */
  let offset = 0;

  function onNotice(channel: string, payload: string): void {
    if (channel === echoChannel) {
      onEcho?.(Number(payload));
      return;
    }
    const [topic = '', at = '', ...key] = payload.split(' ');
    if (!isTopic(topic)) return;
    listener?.notice({ topic, key: key.join(' '), at: millis(Number(at) + offset) });
  }

  function reconnect(why: string): void {
    connection?.close();
    connection = undefined;
    reason = why;
    if (listener === undefined) return;
    timer?.cancel();
    timer = timers.after(delay, () => void connect());
    delay = Math.min(2 * delay, RECONNECT.most);
  }

  async function connect(): Promise<void> {
    try {
      const opened = await openListenConnection({
        url,
        connectMs,
        channels: [CHANNEL, echoChannel],
        onNotice,
        onEnd: (why) => reconnect(`the connection was closed: ${why}`),
      });
      if (listener === undefined) return opened.close();
      connection = opened;
      silent = 0;
      // What was stored before the connection was opened has not been announced here.
      listener.lost();
    } catch (error) {
      reconnect(`the connection cannot be opened: ${(error as Error).message}`);
    }
  }

  async function arrivalOf(number: number, over: ListenConnection): Promise<boolean> {
    const since = timers.elapsed();
    let hasArrived = false;
    const arrival = new Promise<true>((resolve) => {
      onEcho = (arrived) => {
        if (arrived !== number) return;
        listener?.echo?.(timers.elapsed() - since);
        hasArrived = true;
        resolve(true);
      };
    });
    const before = now();
    const { rows } = await echo(number).execute(db);
    for (const { at } of rows) offset = Math.round((before + now()) / 2) - Number(at);
    // The server sends notices before it responds to what comes after them.
    if (!hasArrived) await over.respond();
    return (await within(timers, SETTLE_MS, arrival)) === true;
  }

  const echo = (number: number) =>
    sql<{
      at: string;
    }>`select floor(extract(epoch from clock_timestamp()) * 1000)::text as at, pg_notify(${echoChannel}, ${String(number)})`;

  return {
    start(to) {
      listener = to;
      void connect();
    },
    async catchUp() {
      const over = connection;
      if (over === undefined) return reason;
      sent += 1;
      const hasArrived = await within(timers, RESPONSE_MS, arrivalOf(sent, over));
      if (over !== connection) return reason;
      if (hasArrived) {
        silent = 0;
        delay = RECONNECT.first;
        return undefined;
      }
      silent += 1;
      const why = hasArrived === undefined ? `no response within ${RESPONSE_MS} ms` : POOLER;
      if (hasArrived === undefined || silent >= SILENT_CHECKS) reconnect(why);
      return why;
    },
    async stop() {
      listener = undefined;
      timer?.cancel();
      connection?.close();
    },
  };
}

// One connection to PostgreSQL that only receives notices. It is closed without a goodbye, which a server that does not respond
// would never acknowledge.

type ListenConnection = Awaited<ReturnType<typeof openListenConnection>>;

type ListenOptions = {
  readonly url: string;
  readonly channels: readonly string[];
  readonly connectMs: number;
  readonly onNotice: (channel: string, payload: string) => void;
  /** Called once, when the connection ends by itself after it was opened. */
  readonly onEnd: (reason: string) => void;
};

/** @throws if the connection cannot be opened, or ends meanwhile */
async function openListenConnection(options: ListenOptions) {
  const { url, channels, connectMs, onNotice, onEnd } = options;
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'midroll notices',
  });
  const withTimeout = (text: string) => ({ text, query_timeout: connectMs });
  let isOpen = false;
  let isOver = false;
  const close = () => {
    isOver = true;
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  };
  const end = (reason: string) => {
    if (isOver) return;
    close();
    if (isOpen) onEnd(reason);
  };
  client.on('error', (error) => end(error.message));
  client.on('end', () => end('the server closed the connection'));
  client.on('notification', ({ channel, payload = '' }) => {
    if (!isOver) onNotice(channel, payload);
  });
  try {
    await client.connect();
    for (const channel of channels) await client.query(withTimeout(`listen ${client.escapeIdentifier(channel)}`));
    if (isOver) throw new Error('the server closed the connection');
    isOpen = true;
  } catch (error) {
    close();
    throw error;
  }
  return {
    /** Resolves when the server has responded, and so has sent the notices of all transactions before. */
    respond: shareRunning(() => client.query('select 1')),
    close,
  };
}
