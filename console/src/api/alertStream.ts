// SPDX-License-Identifier: Apache-2.0
// New events of alerts, as they happen. One stream serves the whole console; it is open while something listens.
import type { AlertEventResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import { readApiKey } from './apiKey.ts';
import { createEventStreamParser, reconnectAfter } from './parseEventStream.ts';
import { wait } from './wait.ts';

type Listener = (event: AlertEventResponse) => void;

const listeners = new Set<Listener>();
let current: AbortController | undefined;

/** Reads one response to its end. @param onId receives the id of each event */
async function readOnce(signal: AbortSignal, lastId: string, onId: (id: string) => void): Promise<boolean> {
  const key = readApiKey();
  // EventSource cannot send the header with the key. Users who have signed in have a cookie in place of it.
  const headers = {
    ...(key === null ? {} : { 'x-api-key': key }),
    accept: 'text/event-stream',
    ...(lastId === '' ? {} : { 'last-event-id': lastId }),
  };
  const response = await fetch(new URL('api/v2/events/stream', document.baseURI), { headers, signal });
  if (!response.ok || response.body === null) return false;
  const parse = createEventStreamParser();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const { id, data } of parse(decoder.decode(part.value, { stream: true }))) {
      onId(id);
      for (const listener of listeners) listener(JSON.parse(data));
    }
  }
  return true;
}

/** The last event that was read: the next response continues after it. */
let lastId = '';

async function run(signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    const hasWorked = await readOnce(signal, lastId, (id) => {
      lastId = id;
    }).catch(() => false);
    failures = hasWorked ? 0 : failures + 1;
    if (!signal.aborted) await wait(reconnectAfter(failures));
  }
}

function start(): void {
  if (current !== undefined || listeners.size === 0 || document.hidden) return;
  current = new AbortController();
  void run(current.signal);
}

function stop(): void {
  current?.abort();
  current = undefined;
}

// A hidden page needs no connection. The events that it misses are read when it is shown again.
document.addEventListener('visibilitychange', () => (document.hidden ? stop() : start()));

/** @returns removes the listener */
export function onAlertEvent(listener: Listener): () => void {
  listeners.add(listener);
  start();
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}
