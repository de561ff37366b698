import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { SessionTrace } from '../../../src/http/airContract.ts';
import type { BeaconAnswer } from '../../../src/http/beaconContract.ts';
import { useGet } from '../api/useGet.ts';
import { formatDate } from '../logic/time.ts';
import { Choice } from '../parts/Choice.tsx';
import { CopyButton } from '../parts/CopyButton.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { BreakCard } from './BreakCard.tsx';
import './sessions.css';

type Shown = 'all' | 'skips' | 'empty';
const filters: readonly (readonly [Shown, string])[] = [
  ['all', 'All breaks'],
  ['skips', 'With an ad that was not shown'],
  ['empty', 'Without any ad'],
];
const isShown = (one: SessionTrace['breaks'][number], shown: Shown): boolean =>
  shown === 'all' ||
  (shown === 'empty' ? one.status === 'empty' : one.ads.some(({ outcome }) => outcome === 'skipped'));

/** A viewer's breaks, newest first. */
export function SessionPage({ id }: { readonly id: string }) {
  const { data, error, isLoading, reload } = useGet<SessionTrace>(`/sessions/${encodeURIComponent(id)}`, 5000);
  const beacons = useGet<BeaconAnswer[]>(`/beacons?session=${encodeURIComponent(id)}&limit=1000`, 10_000);
  const [shown, setShown] = useState<Shown>('all');
  const breaks = [...(data?.breaks ?? [])].reverse().filter((one) => isShown(one, shown));
  const parameters = Object.entries((data?.parameters ?? {}) as Readonly<Record<string, string>>);
  return (
    <>
      <PageHead
        title={`Session ${id.slice(0, 8)}`}
        parent={{
          name: 'Sessions',
          path: data ? `/sessions?channel=${encodeURIComponent(data.channel)}` : '/sessions',
        }}
      />
      <ErrorNotice error={error ?? beacons.error} onRetry={reload} />
      {isLoading ? <Loading /> : null}
      {data ? (
        <div class="stack">
          <section class="card">
            <dl class="facts">
              <dt>Session</dt>
              <dd>
                <code>{data.id}</code> <CopyButton text={data.id} label="Copy the session's id" />
              </dd>
              <dt>Channel</dt>
              <dd>
                <Link href={`/channels/${encodeURIComponent(data.channel)}`}>{data.channel}</Link>,{' '}
                {data.format.toUpperCase()}
              </dd>
              <dt>Opened</dt>
              <dd>{formatDate(data.openedAt)}</dd>
              <dt>Said</dt>
              <dd>
                {parameters.length === 0 ? <span class="quiet">no variables</span> : null}
                {parameters.map(([name, value]) => (
                  <div key={name}>
                    <code>
                      {name}={value}
                    </code>
                  </div>
                ))}
              </dd>
            </dl>
          </section>
          <div class="row between">
            <h2>Breaks</h2>
            <div class="breaks-filter">
              <Choice
                label="Show"
                value={shown}
                options={filters.map(([value, text]) => ({ value, text }))}
                onChange={(next) => setShown(next as Shown)}
              />
            </div>
          </div>
          {breaks.length === 0 ? (
            <Empty icon="sessions" title={data.breaks.length === 0 ? 'No break yet' : 'No such break'}>
              <p>A break is decided a little before it begins. This page looks again every few seconds.</p>
            </Empty>
          ) : null}
          {breaks.map((one, index) => (
            <BreakCard key={`${shown} ${one.id}`} one={one} beacons={beacons.data ?? []} isOpen={index === 0} />
          ))}
        </div>
      ) : null}
    </>
  );
}
