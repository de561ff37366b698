// SPDX-License-Identifier: Apache-2.0
import type { TracedBreak } from '../../../src/http/contract/airContract.ts';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { formatCount, plural } from '../logic/format/numbers.ts';

type Exchange = NonNullable<TracedBreak['request']>;

const outcome = ({ status, ms, error }: Exchange): string =>
  [status === undefined ? undefined : `Status ${status}`, `${Math.round(ms)} ms`, error].filter(Boolean).join(', ');

const ExchangeLine = ({ exchange }: { readonly exchange: Exchange }) => (
  <li>
    <code class="url">{exchange.url}</code> <CopyButton text={exchange.url} label="Copy URL" />
    <br />
    <span class={exchange.error === undefined ? 'small muted' : 'small reason'}>{outcome(exchange)}</span>
  </li>
);

/** The ad request of a break, its wrappers and the raw response. */
export function AdRequest({ one: { request, response, wrappers = [] } }: { readonly one: TracedBreak }) {
  if (request === undefined) return <p class="small muted">No ad request</p>;
  const { version, bytes = 0, raw } = response ?? {};
  const facts = [
    `${Math.round(request.ms)} ms`,
    ...(version === undefined ? [] : [`VAST ${version}`]),
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
        <details>
          <summary>Raw response ({formatCount(bytes)} bytes)</summary>
          <div class="raw">
            <CopyButton text={raw} label="Copy response" />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard */}
            <pre tabIndex={0}>{raw}</pre>
          </div>
        </details>
      )}
    </details>
  );
}
