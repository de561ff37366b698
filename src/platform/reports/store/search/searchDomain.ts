// SPDX-License-Identifier: Apache-2.0
// A search domain: OpenSearch, or Elasticsearch, which supports the same requests. The meaning of the documents is left to
// the other files. The client is loaded with the first request, because most installations have no search domain.
import type { Dispatcher } from 'undici';
import type { SearchCall, SearchDomain } from './searchCall.ts';
import type { SearchTarget } from './searchTarget.ts';

const TIMEOUT_MS = 20_000;

export function openSearchDomain(target: SearchTarget, dispatcher: Dispatcher, timeoutMs = TIMEOUT_MS): SearchDomain {
  let opened: Promise<SearchDomain> | undefined;
  const open = async (): Promise<SearchDomain> => {
    const { openSearchClient } = await import('./searchClient.ts');
    return openSearchClient(target, dispatcher, timeoutMs);
  };
  return {
    async call<Response>(call: SearchCall): Promise<Response> {
      opened ??= open();
      return (await opened).call<Response>(call);
    },
  };
}
