// SPDX-License-Identifier: Apache-2.0
// One connection to PostgreSQL that only receives notices. It is closed without a goodbye, which a server that does not respond
// would never acknowledge.
import pg from 'pg';

export type ListenConnection = {
  /** Resolves when the server has responded, and so has sent the notices of all transactions before. */
  respond(): Promise<void>;
  close(): void;
};

export type ListenOptions = {
  readonly url: string;
  readonly channels: readonly string[];
  readonly connectMs: number;
  readonly onNotice: (channel: string, payload: string) => void;
  /** Called once, when the connection ends by itself after it was opened. */
  readonly onEnd: (reason: string) => void;
};

/** @throws if the connection cannot be opened, or ends meanwhile */
export async function openListenConnection(options: ListenOptions): Promise<ListenConnection> {
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
  let responding: Promise<void> | undefined;
  const respond = async () => {
    try {
      await client.query('select 1');
    } finally {
      responding = undefined;
    }
  };
  return {
    respond() {
      responding ??= respond();
      return responding;
    },
    close,
  };
}
