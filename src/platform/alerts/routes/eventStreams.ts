// SPDX-License-Identifier: Apache-2.0
// The open streams of events. Each reads the store from its own position when it is woken, so that it misses nothing and sends
// nothing twice, whichever node made an event.

import { AppError } from '../../../errors.ts';
import type { Timer, Timers } from '../../../time/clock.ts';
import type { EventStore, NumberedEvent } from '../rules/ports.ts';

type StreamOptions = {
  /**
   * The number of the last event that the client has; by default, only new ones are sent. One that no event has reached, for
   * example because the database was restored, stands for the newest.
   */
  readonly after: number | undefined;
  readonly seconds: number;
  /** Called before each event and each heartbeat; the stream ends when it returns false. */
  isAllowed(): Promise<boolean>;
};

export type EventStreams = ReturnType<typeof createEventStreams>;

const MAX_PER_TENANT = 20;
const HEARTBEAT_MS = 15_000;
const EVENTS_PER_READ = 100;
/** Milliseconds until a client reconnects. */
const RECONNECT_MS = 3000;

const ended = () => new AppError('UNAVAILABLE', 'This node is shutting down. Reconnect.', { retryAfter: 1 });

type Stream = { readonly tenant: string; wake(): void; close(): void };

export function createEventStreams({ events, timers }: { readonly events: EventStore; readonly timers: Timers }) {
  const streams = new Set<Stream>();
  /** Requests whose streams are not open yet. */
  const opening = new Set<Pick<Stream, 'tenant'>>();
  let isEnding = false;

  function stream(tenant: string, options: StreamOptions, from: number, write: (event: NumberedEvent) => string) {
    let after = from;
    let isOpen = true;
    let isWoken = true;
    let beats = false;
    let resume: (() => void) | undefined;
    const proceed = () => {
      resume?.();
      resume = undefined;
    };
    const own: Stream = {
      tenant,
      wake() {
        isWoken = true;
        proceed();
      },
      close() {
        isOpen = false;
        heartbeat.cancel();
        limit.cancel();
        streams.delete(own);
        proceed();
      },
    };
    const limit = timers.after(options.seconds * 1000, own.close);
    // Independent of what wakes the stream: otherwise it would not beat while it is woken more often.
    const heartbeat: Timer = timers.every(HEARTBEAT_MS, () => {
      beats = true;
      proceed();
    });
    streams.add(own);

    const waitForMore = (): Promise<void> =>
      new Promise((resolve) => {
        resume = resolve;
      });

    async function* texts(): AsyncGenerator<string, undefined> {
      try {
        yield `retry: ${RECONNECT_MS}\n: connected\n\n`;
        while (isOpen) {
          if (isWoken) {
            isWoken = false;
            const found = await events.after(tenant, after, EVENTS_PER_READ);
            isWoken ||= found.length === EVENTS_PER_READ;
            after = found.at(-1)?.seq ?? after;
            if (found.length > 0) {
              if (!(await options.isAllowed())) return;
              yield found.map((event) => `id: ${event.seq}\nevent: alert\ndata: ${write(event)}\n\n`).join('');
              continue;
            }
          }
          if (beats) {
            beats = false;
            if (!(await options.isAllowed())) return;
            yield ': heartbeat\n\n';
          } else if (!isWoken && isOpen) await waitForMore();
        }
      } finally {
        own.close();
      }
    }

    const all = texts();
    // Does not wait for a read: while the store does not respond, a generator does not return.
    const end = async () => {
      own.close();
      void all.return(undefined);
      return { done: true as const, value: undefined };
    };
    return { [Symbol.asyncIterator]: () => ({ next: () => all.next(), return: end }) };
  }

  return {
    async open(
      tenant: string,
      options: StreamOptions,
      write: (event: NumberedEvent) => string,
    ): Promise<AsyncIterable<string>> {
      if (isEnding) throw ended();
      const own = [...streams, ...opening].filter((one) => one.tenant === tenant);
      if (own.length >= MAX_PER_TENANT) {
        const message = `A tenant can have ${MAX_PER_TENANT} event streams on a node. Close one first.`;
        throw new AppError('TOO_MANY_REQUESTS', message, { retryAfter: 30 });
      }
      const request = { tenant };
      opening.add(request);
      try {
        const newest = await events.newest(tenant);
        if (isEnding) throw ended();
        return stream(tenant, options, Math.min(options.after ?? newest, newest), write);
      } finally {
        opening.delete(request);
      }
    },
    /** Wakes the streams of these tenants, or all. */
    wake(tenants?: ReadonlySet<string>): void {
      for (const one of streams) if (tenants?.has(one.tenant) ?? true) one.wake();
    },
    /** Ends all streams, and rejects new ones: the process is about to end. */
    end(): void {
      isEnding = true;
      for (const one of [...streams]) one.close();
    },
  };
}
