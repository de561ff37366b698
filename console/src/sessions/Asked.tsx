import type { TracedBreak } from '../../../src/http/airContract.ts';
import { CopyButton } from '../parts/CopyButton.tsx';

type Exchange = NonNullable<TracedBreak['request']>;

const outcome = ({ status, ms, error }: Exchange): string =>
  [status === undefined ? undefined : `status ${status}`, `${Math.round(ms)} ms`, error].filter(Boolean).join(', ');

const Line = ({ exchange }: { readonly exchange: Exchange }) => (
  <li>
    <code class="url">{exchange.url}</code> <CopyButton text={exchange.url} label="Copy the address" />
    <br />
    <span class={exchange.error === undefined ? 'small quiet' : 'small why'}>{outcome(exchange)}</span>
  </li>
);

/** What the ad server was asked and what it said, to the letter. */
export function Asked({ one: { request, response, wrappers = [] } }: { readonly one: TracedBreak }) {
  if (request === undefined) return <p class="small quiet">No ad server was asked.</p>;
  const { version, bytes, raw } = response ?? {};
  return (
    <details class="asked">
      <summary>
        Asked in {Math.round(request.ms)} ms
        {version === undefined ? '' : `, VAST ${version}`}
        {wrappers.length > 0 ? `, ${wrappers.length} ${wrappers.length === 1 ? 'wrapper' : 'wrappers'}` : ''}
      </summary>
      <ol class="stack tight">
        <Line exchange={request} />
        {wrappers.map((wrapper, index) => (
          <Line key={`${wrapper.url} ${index}`} exchange={wrapper} />
        ))}
      </ol>
      {raw === undefined ? (
        <p class="small quiet">There was no answer.</p>
      ) : (
        <details>
          <summary>The answer as it came, {bytes?.toLocaleString('en-GB')} bytes</summary>
          <div class="raw">
            <CopyButton text={raw} label="Copy the answer" />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
            <pre tabIndex={0}>{raw}</pre>
          </div>
        </details>
      )}
    </details>
  );
}
