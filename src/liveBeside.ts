import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The live port of the host that a request to the administrative port named. @param host e.g. `midroll.local:8080` */
export function liveBeside(host: string | undefined, live: Server, port: number): string {
  const named = `http://${host ?? 'localhost'}`;
  const url = new URL(URL.canParse(named) ? named : 'http://localhost');
  url.port = String((live.address() as AddressInfo | null)?.port ?? port);
  return url.origin;
}
