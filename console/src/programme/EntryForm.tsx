// SPDX-License-Identifier: Apache-2.0
import { withoutUndefined } from '../../../src/invariant.ts';
import { errorWithin, fieldError, rowError } from '../components/forms/fieldErrors.ts';
import { ListField } from '../components/forms/ListField.tsx';
import { NumberField } from '../components/forms/NumberField.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { formatTimecode } from '../format/time.ts';
import { ItemBreaks } from '../playlists/ItemBreaks.tsx';
import { useSourceCheck } from '../playlists/useSourceCheck.ts';
import { BreakRuleFields, firstRule } from './BreakRuleFields.tsx';
import { type EntryFields, programmeName } from './programmeDraft.ts';
import { type EntryFormProps, type PartProps, SourceFields } from './SourceFields.tsx';

/** The fields of a programme apart from its start. */
export function EntryForm(props: EntryFormProps) {
  const { entry, path, errors, onChange } = props;
  const check = useSourceCheck('url' in entry.source ? entry.source.url.trim() : '');
  return (
    <>
      <TextField
        label="Title"
        value={entry.title ?? ''}
        error={fieldError(errors, `${path}/title`)}
        onInput={(title) => onChange({ title: title || undefined })}
      />
      <SourceFields {...props} check={check} />
      {'live' in entry.source ? null : (
        <NumberField
          label="Duration (s)"
          value={entry.duration}
          error={fieldError(errors, `${path}/duration`)}
          hint={
            entry.duration === undefined || Number.isNaN(entry.duration)
              ? 'Empty: as long as its source and breaks.'
              : `${formatTimecode(entry.duration)}: cut or filled to it.`
          }
          onInput={(duration) => onChange({ duration })}
        />
      )}
      <BreakFields {...props} check={check} />
      <BumperFields {...props} />
      <GuideFields {...props} />
      <UpidFields {...props} />
    </>
  );
}

const breakKinds = {
  default: 'Schedule default',
  cues: 'Cue points',
  markers: 'Markers',
  rule: 'Every n minutes',
} as const;
type BreakKind = keyof typeof breakKinds;

const breakKind = (breaks: EntryFields['breaks']): BreakKind => {
  if (breaks === undefined) return 'default';
  return breaks === 'markers' ? 'markers' : Array.isArray(breaks) ? 'cues' : 'rule';
};
const newBreaks = { default: undefined, cues: [], markers: 'markers', rule: firstRule } as const;

/** Where it has breaks. The breaks of a playlist are those of its items. */
function BreakFields({ entry, path, errors, check: { result }, onChange }: PartProps) {
  const { source, breaks } = entry;
  if (!('url' in source)) return null;
  const begin = source.in ?? 0;
  const end = source.out ?? result?.duration;
  return (
    <>
      <SelectField
        label="Breaks"
        value={breakKind(breaks)}
        options={toOptions(breakKinds)}
        error={fieldError(errors, `${path}/breaks`)}
        {...(Array.isArray(breaks) && breaks.length === 0 ? { hint: 'Without cue points, it has no breaks.' } : {})}
        onChange={(kind) => onChange({ breaks: kind === 'cues' ? [] : newBreaks[kind] })}
      />
      {Array.isArray(breaks) ? (
        <ItemBreaks
          item={{
            key: 0,
            sourceType: 'url',
            url: source.url,
            spliceType: 'seconds',
            cuePoints: breaks.map((cue, key) => ({ ...cue, key: -key - 1 })),
          }}
          name={programmeName(entry)}
          // Errors have the path of an entry of a playlist, whose list has another name.
          path={path}
          errors={errors.map((error) => ({ ...error, dataPath: error.dataPath.replace('/breaks/', '/cuePoints/') }))}
          duration={end === undefined ? undefined : end - begin}
          cutPoints={(result?.cutPoints ?? []).flatMap((at) => (at >= begin && at <= (end ?? at) ? [at - begin] : []))}
          begin={begin}
          onChange={({ cuePoints }) => onChange({ breaks: cuePoints.map(({ key: _, ...cue }) => cue) })}
        />
      ) : null}
      {typeof breaks === 'object' && !Array.isArray(breaks) ? (
        <BreakRuleFields
          rule={breaks}
          path={`${path}/breaks`}
          errors={errors}
          onChange={(rule) => onChange({ breaks: rule })}
        />
      ) : null}
    </>
  );
}

const bumperKinds = { default: "Channel's bumpers", none: 'No bumpers', own: 'Own bumpers' } as const;
// An empty URL is not the default: the API reports that it is missing.
const newBumpers = { default: undefined, none: {}, own: { intro: '' } } as const;

/** Clips before and after the ads of its breaks. */
function BumperFields({ entry: { bumpers }, path, errors, onChange }: EntryFormProps) {
  const kind = bumpers === undefined ? 'default' : Object.keys(bumpers).length === 0 ? 'none' : 'own';
  const url = (name: 'intro' | 'outro', label: string) => (
    <TextField
      label={label}
      value={bumpers?.[name] ?? ''}
      error={fieldError(errors, `${path}/bumpers/${name}`)}
      onInput={(value) => {
        const given = { ...bumpers, [name]: value };
        const next = withoutUndefined({ intro: given.intro || undefined, outro: given.outro || undefined });
        onChange({ bumpers: Object.keys(next).length === 0 ? newBumpers.own : next });
      }}
    />
  );
  return (
    <>
      <SelectField
        label="Bumpers"
        value={kind}
        options={toOptions(bumperKinds)}
        error={fieldError(errors, `${path}/bumpers`)}
        onChange={(next) => onChange({ bumpers: newBumpers[next] })}
      />
      {kind === 'own' ? (
        <>
          {url('intro', 'Intro bumper URL')}
          {url('outro', 'Outro bumper URL')}
        </>
      ) : null}
    </>
  );
}

const upidTypes = {
  none: 'No UPID',
  adId: 'Ad-ID',
  adi: 'CableLabs ADI',
  ads: 'ADS information',
  eidr: 'EIDR',
  uri: 'URI',
  uuid: 'UUID',
} as const;

/** What identifies it in the markers of the output. */
function UpidFields({ entry: { upid }, path, errors, onChange }: EntryFormProps) {
  return (
    <details>
      <summary>Distribution</summary>
      <div class="form">
        <SelectField
          label="UPID type"
          value={upid?.type ?? 'none'}
          options={toOptions(upidTypes)}
          hint="Identifies the programme in SCTE-35 markers and the as-run log."
          error={fieldError(errors, `${path}/upid`)}
          onChange={(type) => onChange({ upid: type === 'none' ? undefined : { type, value: upid?.value ?? '' } })}
        />
        {upid === undefined ? null : (
          <TextField
            label="UPID"
            value={upid.value}
            error={fieldError(errors, `${path}/upid/value`)}
            onInput={(value) => onChange({ upid: { ...upid, value } })}
          />
        )}
      </div>
    </details>
  );
}

/** What the guide says of it. */
function GuideFields({ entry, path, errors, onChange }: EntryFormProps) {
  const number = (name: 'season' | 'episode', label: string) => (
    <NumberField
      label={label}
      value={entry[name]}
      error={fieldError(errors, `${path}/${name}`)}
      onInput={(value) => onChange({ [name]: value })}
    />
  );
  const categories = entry.categories ?? [];
  return (
    <details>
      <summary>Guide</summary>
      <div class="form">
        <TextField
          label="Subtitle"
          value={entry.subtitle ?? ''}
          error={fieldError(errors, `${path}/subtitle`)}
          onInput={(subtitle) => onChange({ subtitle: subtitle || undefined })}
        />
        <TextField
          label="Description"
          rows={3}
          value={entry.description ?? ''}
          error={fieldError(errors, `${path}/description`)}
          onInput={(description) => onChange({ description: description || undefined })}
        />
        <ListField
          label="Categories"
          entry="category"
          values={categories}
          error={errorWithin(errors, `${path}/categories`)}
          errorAt={(row) => rowError(errors, `${path}/categories`, categories, row)}
          onChange={(values) => onChange({ categories: values.length === 0 ? undefined : [...values] })}
        />
        <div class="pair">
          {number('season', 'Season')}
          {number('episode', 'Episode')}
        </div>
        <Toggle
          label="Repeat"
          isOn={entry.isRepeat === true}
          onChange={(isOn) => onChange({ isRepeat: isOn || undefined })}
        />
      </div>
    </details>
  );
}
