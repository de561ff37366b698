// SPDX-License-Identifier: Apache-2.0
// `GET cluster/status`, and `POST cluster/kill/node-1`: only this server, on loopback, has them; Midroll does not.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { replyText } from '../serveFolder.ts';
import type { ClusterControl } from './clusterStatus.ts';
import { isOwnPage } from './isOwnPage.ts';

/** @returns whether the path is one of the cluster */
export function replyOfCluster(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  control: ClusterControl,
): boolean {
  const [, action, id] = /^\/cluster\/([a-z]+)(?:\/([a-z0-9-]+))?$/.exec(path) ?? [];
  if (action === undefined) return false;
  const status = () => replyText(response, 200, JSON.stringify(control.status()), 'application/json');
  if (action === 'status' && id === undefined) {
    status();
    return true;
  }
  if (request.method !== 'POST') replyText(response, 405, `Method ${request.method} not allowed. Use POST.\n`);
  else if (!isOwnPage(request)) replyText(response, 403, 'Only the page of this server can change the cluster.\n');
  else if (!control.act(action, id ?? '')) replyText(response, 409, `"${action}" is not possible for "${id}" now.\n`);
  else status();
  return true;
}
