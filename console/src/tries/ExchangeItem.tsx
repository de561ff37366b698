// SPDX-License-Identifier: Apache-2.0
import type { TriedExchange } from '../../../src/platform/tries/contract/tryContract.ts';
import { CopyButton } from '../components/buttons/CopyButton.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { DocumentView } from '../components/layout/DocumentView.tsx';
import { contentsText, exchangeBar } from './verdicts.ts';

type ExchangeItemProps = {
  readonly name: string;
  readonly exchange: TriedExchange;
  readonly all: readonly TriedExchange[];
};

/** One request: its redirects, its place in time, and its document. */
export function ExchangeItem({ name, exchange, all }: ExchangeItemProps) {
  const { url, method, headers, body, curl, redirects, status, ms, error, contentType, bytes, document } = exchange;
  const problem = error ?? exchange.contents?.problem;
  const { start, width } = exchangeBar(exchange, all);
  const contents = contentsText(exchange);
  return (
    <li class="exchange">
      <div class="row">
        <Badge tone={problem === undefined ? 'good' : 'bad'}>
          {status === undefined ? 'No response' : String(status)}
        </Badge>
        <strong>{name}</strong>
        <span class="small muted number">{Math.round(ms)} ms</span>
        <span class="fill" />
        <CopyButton text={curl} label="Copy as curl" />
      </div>
      <div class="exchange-bar" aria-hidden="true">
        <i style={{ marginInlineStart: `${start}%`, width: `${width}%` }} class={problem === undefined ? '' : 'bad'} />
      </div>
      <code class="url">
        {method === 'POST' ? 'POST ' : ''}
        {url}
      </code>
      {redirects.map((redirect, index) => (
        <p class="small" key={`${redirect.location} ${index}`}>
          <span class="muted">{redirect.status} redirects to </span>
          <code class="url">{redirect.location}</code>
        </p>
      ))}
      {problem === undefined ? null : <p class="reason">{problem}</p>}
      {problem === undefined && contents !== undefined ? <p class="small muted">{contents}</p> : null}
      <details>
        <summary>Request headers</summary>
        <dl class="headers">
          {Object.entries(headers).map(([header, value]) => (
            <div key={header}>
              <dt>{header}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {body === undefined ? null : <pre class="small">{body}</pre>}
      </details>
      {document === undefined ? null : (
        <DocumentView title="Response" {...{ contentType, bytes, ...document }} isOpen={problem !== undefined} />
      )}
    </li>
  );
}
