// Asks for the ads of a VAST document that no viewer waits for: to look at what is in it. Nothing is told to anybody.
import { randomUUID } from 'node:crypto';
import type { AdRequestOutcome } from '../../ads/record/adRequestOutcome.ts';
import type { AdResponseReader, AdServer, AdServerResponse } from '../../ads/request/ports.ts';
import type { Clock } from '../../time/clock.ts';
import { requestAds } from './requestAds.ts';

/** Longer than a viewer would wait: nobody does. */
const TIMEOUT_MS = 10_000;
/** A break like many, for macros that tell of one; seconds. */
const USUAL_BREAK = 120;

/** The document first, then whatever servers its wrappers name. */
function withDocument(document: string, adServer: AdServer): AdServer {
  const bytes = new TextEncoder().encode(document);
  const answer: AdServerResponse = { ok: true, url: '', status: 200, ms: 0, contentType: 'application/xml', bytes };
  let isRead = false;
  return {
    send: (request, limits) => {
      if (isRead) return adServer.send(request, limits);
      isRead = true;
      return Promise.resolve(answer);
    },
  };
}

/** @param vast where it is, or the document itself */
export function previewAdRequest(
  vast: { readonly url: string } | { readonly document: string },
  channelId: string,
  adServer: AdServer,
  reader: AdResponseReader,
  clock: Clock,
): Promise<AdRequestOutcome> {
  const isDocument = 'document' in vast;
  const question = {
    source: { url: isDocument ? 'http://document.invalid/' : vast.url, timeoutMs: TIMEOUT_MS },
    session: { id: randomUUID(), channelId, parameters: {}, viewer: { address: '', userAgent: 'Midroll' } },
    adBreak: { id: 'none', startsAt: clock.now(), duration: USUAL_BREAK },
  };
  return requestAds(question, isDocument ? withDocument(vast.document, adServer) : adServer, reader, clock);
}
