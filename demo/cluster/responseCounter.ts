// SPDX-License-Identifier: Apache-2.0
// Counts the responses of each node in the last seconds, from the lines that nginx sends over UDP for each response.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Seconds that are remembered. */
export const SHOWN_SECONDS = 30;

export type ResponseCounter = {
  readonly port: number;
  /** Responses of a node per second, the current second last. @param address as `127.0.0.1:8081` */
  perSecond(address: string): readonly number[];
  close(): void;
};

/** The node that has responded, which is the last one that nginx tried; undefined if none has. */
export function respondedBy(line: string): string | undefined {
  const match = /((?:[\d.]+:\d+(?:, )?)+) (\d{3})\s*$/.exec(line);
  const [, tried, status] = match ?? [];
  return tried === undefined || status === '502' || status === '504' ? undefined : tried.split(', ').at(-1);
}

export async function startResponseCounter(now: () => number = Date.now): Promise<ResponseCounter> {
  const counts = new Map<string, Map<number, number>>();
  const second = () => Math.floor(now() / 1000);
  const socket = createSocket('udp4');
  socket.on('message', (message) => {
    const address = respondedBy(message.toString());
    if (address === undefined) return;
    const bySecond = counts.get(address) ?? new Map<number, number>();
    bySecond.set(second(), (bySecond.get(second()) ?? 0) + 1);
    for (const each of bySecond.keys()) if (each <= second() - SHOWN_SECONDS) bySecond.delete(each);
    counts.set(address, bySecond);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    perSecond: (address) =>
      Array.from(
        { length: SHOWN_SECONDS },
        (_, index) => counts.get(address)?.get(second() - SHOWN_SECONDS + 1 + index) ?? 0,
      ),
    close: () => void socket.close(),
  };
}
