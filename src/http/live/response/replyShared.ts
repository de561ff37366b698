// SPDX-License-Identifier: Apache-2.0
// A manifest that is the same for everyone: caches hold it, and clients that have it get a 304 (RFC 9110 §13).
import { createHash } from 'node:crypto';
import { isKnown } from '../../admin/request/entityTag.ts';
import type { PlayerRequest } from '../playerRequest.ts';
import { corsHeaders } from '../reply.ts';
import { type Coding, replyManifest } from './replyManifest.ts';

/** A text with what each response derives from it. */
export type SharedText = {
  readonly text: string;
  readonly tag: string;
  readonly compressed: Map<Coding, string | Uint8Array>;
};

/** @param text ASCII, or bytes as characters (latin1) */
export const sharedTextOf = (text: string): SharedText => ({
  text,
  tag: `"${createHash('sha1').update(text, 'latin1').digest('base64url').slice(0, 20)}"`,
  compressed: new Map(),
});

/** @param maxAge seconds. @param scope `private`: for the player alone */
export function replyShared(
  { request, response }: PlayerRequest,
  type: string,
  { text, tag, compressed }: SharedText,
  maxAge: number,
  scope: 'public' | 'private' = 'public',
): void {
  const caching = `${scope}, max-age=${maxAge}`;
  // Weak, because compressed responses have it, too (§8.8.3).
  const etag = `W/${tag}`;
  if (!isKnown(request.headers['if-none-match'], tag)) {
    replyManifest(request, response, type, text, { caching, etag, compressed });
    return;
  }
  response.writeHead(304, ['cache-control', caching, 'etag', etag, 'vary', 'Accept-Encoding', ...corsHeaders]);
  response.end();
}
