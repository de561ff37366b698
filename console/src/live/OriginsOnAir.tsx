// SPDX-License-Identifier: Apache-2.0
import type { LiveStatus } from '../../../src/http/liveContract.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import { formatDateTime } from '../logic/format/time.ts';
import { RenditionList } from './RenditionList.tsx';
import { servedFormats } from './servedFormats.ts';

/** The origins of a live channel that are on air. */
export const OriginsOnAir = ({ live }: { readonly live: LiveStatus }) => {
  const origins = [live.hls, live.dash].filter((origin) => origin !== undefined);
  return (
    <section class="card stack tight">
      <h2>Origin</h2>
      {origins.length === 0 ? <p class="muted">Not on air.</p> : null}
      {origins.map(({ url, serves, startedAt, targetDuration, renditions, warnings = [], health }) => (
        <div class="stack tight" key={url}>
          <p class="url">{url}</p>
          {health?.state === 'failing' ? <Notice tone="bad">{health.reason ?? 'It cannot be read.'}</Notice> : null}
          <p class="small">
            Serves {servedFormats(serves)}. On air since {formatDateTime(startedAt)}. Target duration {targetDuration}{' '}
            s.
          </p>
          <RenditionList renditions={renditions} />
          {warnings.length + (health?.warnings?.length ?? 0) > 0 ? (
            <Notice tone="warn">
              <ul>
                {[...new Set([...warnings, ...(health?.warnings ?? [])])].map((warning) => (
                  <li key={warning}>{warning}</li>
                ))}
              </ul>
            </Notice>
          ) : null}
        </div>
      ))}
    </section>
  );
};
