// SPDX-License-Identifier: Apache-2.0
import type { JSX } from 'preact';
import { callText, type Data } from '../api/call.ts';
import { saveFile } from '../api/saveFile.ts';
import { useNow } from '../api/serverClock.ts';
import { useAction } from '../api/useAction.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { formatHourMinute } from '../format/time.ts';
import { addDays, fromLocalText, localDate } from '../format/zonedTime.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { ProgrammeHeader } from './ProgrammeHeader.tsx';
import { wholeSecond } from './programmeBlocks.ts';
import './programme.css';

const PATH = '/channels/{id}/guide';
type Programme = Data<'GET', typeof PATH>['programmes'][number];

/** What viewers read about the programmes of a day, as distributors get it. */
export function GuidePage({ id }: { readonly id: string }) {
  const now = useNow(POLL.slow);
  const [{ date }, change] = useQueryState({ date: '' });
  const day = fromLocalText(date) === undefined ? localDate(now) : date;
  const guide = useGet(PATH, { path: { id } }, POLL.minute);
  const [from, to] = [day, addDays(day, 1)].map((text) => fromLocalText(text) ?? now);
  const shown = guide.data?.programmes.filter(
    ({ start, end }) => Date.parse(start) < Number(to) && Date.parse(end) > Number(from),
  );
  const download = useAction(async () => {
    const xml = await callText(PATH, { path: { id }, query: { format: 'xmltv' }, accept: '*/*' });
    saveFile(`${id}.xml`, xml, 'application/xml');
  });
  return (
    <>
      <ProgrammeHeader id={id} current="guide">
        <Button icon="download" action={download}>
          Download XMLTV
        </Button>
      </ProgrammeHeader>
      <section class="stack" aria-label="Guide">
        <ErrorNotice error={download.error} />
        <div class="row">
          <TextField label="Day" type="date" value={day} onInput={(next) => change({ date: next }, true)} />
        </div>
        <LoadState of={guide} />
        {shown?.length === 0 ? <p class="muted">The guide has no programmes on this day.</p> : null}
        {shown && shown.length > 0 ? (
          <ol class="programmes guide card">
            {shown.map((each) => (
              <GuideEntry key={`${each.id} ${each.start}`} programme={each} now={now} />
            ))}
          </ol>
        ) : null}
      </section>
    </>
  );
}

const timeText = (time: string): string => formatHourMinute(wholeSecond(Date.parse(time)));

function GuideEntry({ programme, now }: { readonly programme: Programme; readonly now: number }): JSX.Element {
  const { start, end, title, subtitle, description, season, episode, year, categories = [], ratings = [] } = programme;
  const isOnAir = Date.parse(start) <= now && now < Date.parse(end);
  const facts = [
    season === undefined ? undefined : `Season ${season}`,
    episode === undefined ? undefined : `Episode ${episode}`,
    year,
    ...categories,
    ...ratings.map(({ value }) => value),
    programme.isRepeat ? 'Repeat' : undefined,
  ].filter((fact) => fact !== undefined);
  return (
    <li>
      <time>{[start, end].map(timeText).join('–')}</time>
      <span class="wraps">
        <strong>{title}</strong> {isOnAir ? <Badge tone="good">On air</Badge> : null}
        {subtitle === undefined ? null : <div>{subtitle}</div>}
        {facts.length === 0 ? null : <div class="small muted">{facts.join(' · ')}</div>}
        {description === undefined ? null : <div class="small">{description}</div>}
      </span>
    </li>
  );
}
