// SPDX-License-Identifier: Apache-2.0
import { createServer } from 'node:net';
import { type Finding, failed, ok, warning } from './finding.ts';

export type Ports = { readonly HOST: string; readonly ADMIN_PORT: number; readonly LIVE_PORT: number };

/** Long enough for a server on a busy machine. */
const TIMEOUT_MS = 10_000;

/** @returns the error code if the port cannot be opened */
const tryPort = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });

async function isMidroll(host: string, port: number): Promise<boolean> {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const body: unknown = await (await fetch(`http://${address}:${port}/health`, { signal })).json();
    return (body as { status?: unknown } | null)?.status === 'ok';
  } catch {
    return false;
  }
}

async function checkPort(name: 'ADMIN_PORT' | 'LIVE_PORT', { HOST, ...ports }: Ports): Promise<Finding> {
  const port = ports[name];
  const subject = `Port ${port}`;
  const code = port === 0 ? undefined : await tryPort(HOST, port);
  if (code === undefined) return ok(subject, port === 0 ? `${name}: any free port` : `${name}: free on ${HOST}`);
  if (code === 'EADDRINUSE') {
    if (await isMidroll(HOST, port))
      return warning(
        subject,
        `${name}: a server like Midroll listens there`,
        'If it is not this one, set another port.',
      );
    return failed(subject, `${name}: in use by another program`, `Set ${name} to another port.`);
  }
  if (code === 'EACCES')
    return failed(subject, `${name}: permission denied`, `Set ${name} to a port above 1023, or use a proxy.`);
  return failed(subject, `${name}: cannot listen on ${HOST} (${code})`, 'Set HOST to an address of this machine.');
}

export async function checkPorts(ports: Ports): Promise<Finding[]> {
  if (ports.ADMIN_PORT === ports.LIVE_PORT && ports.ADMIN_PORT !== 0)
    return [failed('Ports', `ADMIN_PORT and LIVE_PORT are both ${ports.ADMIN_PORT}`, 'Set them to two ports.')];
  return Promise.all([checkPort('ADMIN_PORT', ports), checkPort('LIVE_PORT', ports)]);
}
