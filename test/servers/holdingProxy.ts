// SPDX-License-Identifier: Apache-2.0
// An HTTP proxy in front of one server that holds some requests back: they are not forwarded, and get no response.
import { request as forward } from 'node:http';
import { startServer } from '../../demo/listen.ts';

export type HoldingProxy = {
  readonly port: number;
  /** How many requests have been held back. */
  held(): number;
  close(): Promise<void>;
};

/** @param isHeld of a method and the path of a URL. Headers stay as they are, because they are signed. */
export async function startHoldingProxy(
  targetPort: number,
  isHeld: (method: string, path: string) => boolean,
): Promise<HoldingProxy> {
  let held = 0;
  const { url: base, close } = await startServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    if (isHeld(method, url)) {
      held += 1;
      incoming.resume();
      return;
    }
    const sent = forward({ host: '127.0.0.1', port: targetPort, method, path: url, headers }, (response) => {
      outgoing.writeHead(response.statusCode!, response.rawHeaders);
      response.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    incoming.on('error', () => sent.destroy());
    incoming.pipe(sent);
  });
  return { port: Number(new URL(base).port), held: () => held, close };
}
