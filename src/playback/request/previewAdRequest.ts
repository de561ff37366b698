// SPDX-License-Identifier: Apache-2.0
// Resolves the ads of a VAST document for an operator who inspects it. There is no viewer and no break; no tracking URL or
// Error URL is called.
import { randomUUID } from 'node:crypto';
import type { AdRequestOutcome } from '../../ads/record/breakRecord.ts';
import type { AdResponseReader, AdServer, AdServerResponse } from '../../ads/request/ports.ts';
import type { Clock } from '../../time/clock.ts';
import { requestAds } from './requestAds.ts';

/** Longer than for a viewer, because no stream depends on it. */
const TIMEOUT_MS = 10_000;
/** Seconds: the value of macros that state the break's length. */
const SAMPLE_BREAK_DURATION = 120;

/** Returns the document for the first request and sends those of its wrappers. */
function withDocument(document: string, adServer: AdServer): AdServer {
  const bytes = new TextEncoder().encode(document);
  const response: AdServerResponse = { ok: true, url: '', status: 200, ms: 0, contentType: 'application/xml', bytes };
  let isFirst = true;
  return {
    send: (request, limits) => {
      if (!isFirst) return adServer.send(request, limits);
      isFirst = false;
      return Promise.resolve(response);
    },
  };
}

/** @param vast the document's URL, or the document itself */
export function previewAdRequest(
  vast: { readonly url: string } | { readonly document: string },
  channelId: string,
  adServer: AdServer,
  reader: AdResponseReader,
  clock: Clock,
): Promise<AdRequestOutcome> {
  const isDocument = 'document' in vast;
  const context = {
    source: { url: isDocument ? 'http://document.invalid/' : vast.url, timeoutMs: TIMEOUT_MS },
    session: { id: randomUUID(), channelId, parameters: {}, viewer: { address: '', userAgent: 'Midroll' } },
    adBreak: { id: 'none', startsAt: clock.now(), duration: SAMPLE_BREAK_DURATION },
  };
  return requestAds(context, isDocument ? withDocument(vast.document, adServer) : adServer, reader, clock);
}
