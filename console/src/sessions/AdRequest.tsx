// SPDX-License-Identifier: Apache-2.0
import type { TracedBreak } from '../../../src/http/contract/airContract.ts';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { DocumentView } from '../components/layout/DocumentView.tsx';
import { plural } from '../format/numbers.ts';

type Exchange = NonNullable<TracedBreak['wrappers']>[number] & { readonly curl?: string };

const outcome = ({ status, ms, error }: Exchange): string =>
  [status === undefined ? undefined : `Status ${status}`, `${Math.round(ms)} ms`, error].filter(Boolean).join(', ');

const ExchangeLine = ({ exchange }: { readonly exchange: Exchange }) => (
  <li>
    <code class="url">{exchange.url}</code> <CopyButton text={exchange.url} label="Copy URL" />
    {exchange.curl === undefined ? null : <CopyButton text={exchange.curl} label="Copy as curl" />}
    <br />
    <span class={exchange.error === undefined ? 'small muted' : 'small reason'}>{outcome(exchange)}</span>
    {exchange.response === undefined ? null : (
      <DocumentView title="Failed response" contentType={exchange.response.contentType} text={exchange.response.raw} />
    )}
  </li>
);

/** The ad request of a break, its wrappers and the raw response. */
export function AdRequest({ one: { request, response, wrappers = [] } }: { readonly one: TracedBreak }) {
  if (request === undefined) return <p class="small muted">No ad request</p>;
  const { version, bytes = 0, raw, contentType } = response ?? {};
  const facts = [
    `${Math.round(request.ms)} ms`,
    ...(version ? [version.startsWith('VMAP') ? version : `VAST ${version}`] : []),
    ...(wrappers.length > 0 ? [plural(wrappers.length, 'wrapper')] : []),
  ];
  return (
    <details class="ad-request">
      <summary>Ad request: {facts.join(', ')}</summary>
      <ol class="stack tight">
        <ExchangeLine exchange={request} />
        {wrappers.map((wrapper, index) => (
          <ExchangeLine key={`${wrapper.url} ${index}`} exchange={wrapper} />
        ))}
      </ol>
      {raw === undefined ? (
        <p class="small muted">No response</p>
      ) : (
        <DocumentView
          title={contentType === undefined ? 'Raw response' : 'Failed response'}
          text={raw}
          {...{ contentType, bytes }}
        />
      )}
    </details>
  );
}
