// SPDX-License-Identifier: Apache-2.0
import { withoutUndefined } from '../../../src/invariant.ts';
import type { FieldError } from '../api/apiError.ts';
import { errorWithin, fieldError, rowError } from '../components/forms/fieldErrors.ts';
import { ListField } from '../components/forms/ListField.tsx';
import { NumberField } from '../components/forms/NumberField.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { RecordPicker } from '../components/pickers/RecordPicker.tsx';
import { formatTimecode } from '../format/time.ts';
import { CueFrame } from '../playlists/ItemBreaks.tsx';
import { SourceField } from '../playlists/ItemCard.tsx';
import type { useSourceCheck } from '../playlists/useSourceCheck.ts';
import type { EntryFields } from './programmeDraft.ts';

type Changed = { readonly [Name in keyof EntryFields]?: EntryFields[Name] | undefined };
export type EntryFormProps = {
  readonly entry: EntryFields;
  /** The JSON Pointer of the entry. */
  readonly path: string;
  readonly errors: readonly FieldError[];
  /** undefined removes a field */
  onChange(changed: Changed): void;
};
export type PartProps = EntryFormProps & { readonly check: ReturnType<typeof useSourceCheck> };

type Source = EntryFields['source'];
type SourceOf<Name extends string> = Extract<Source, Readonly<Record<Name, unknown>>>;

const kinds = { url: 'URL', playlist: 'Playlist', live: 'Live' } as const;
const newSources: Readonly<Record<keyof typeof kinds, Source>> = {
  url: { url: '' },
  playlist: { playlistId: '' },
  live: { live: { sourceManifestUrl: '', plannedDuration: 3600 } },
};

/** What a programme plays, and which part of it. */
export function SourceFields(props: PartProps) {
  const { entry, path, errors, onChange } = props;
  const { source } = entry;
  return (
    <>
      <SegmentedControl
        label="Source"
        value={'url' in source ? 'url' : 'live' in source ? 'live' : 'playlist'}
        options={kinds}
        // A live programme has the length and the breaks of its origin.
        onChange={(kind) =>
          onChange(
            kind === 'live'
              ? { source: newSources.live, duration: undefined, breaks: undefined }
              : { source: newSources[kind] },
          )
        }
      />
      {'url' in source ? <AssetFields {...props} source={source} /> : null}
      {'live' in source ? <LiveFields {...props} source={source} /> : null}
      {'playlistId' in source ? (
        <RecordPicker
          label="Playlist"
          kind="playlists"
          value={source.playlistId}
          placeholder="Choose a playlist"
          error={fieldError(errors, `${path}/source/playlistId`)}
          accept={({ type }) => type !== 'vod'}
          onChange={(playlistId) => onChange({ source: { playlistId } })}
        />
      ) : null}
    </>
  );
}

type AssetFieldsProps = PartProps & { readonly source: SourceOf<'url'> };

function AssetFields({ source, path, errors, check, onChange }: AssetFieldsProps) {
  const trim = (name: 'in' | 'out', label: string) => {
    const at = source[name];
    return (
      <div class="stack tight">
        <NumberField
          label={label}
          value={at}
          error={fieldError(errors, `${path}/source/${name}`)}
          onInput={(value) => onChange({ source: withoutUndefined({ ...source, [name]: value }) as typeof source })}
        />
        {at !== undefined && check.result?.state === 'ready' ? <CueFrame url={source.url.trim()} at={at} /> : null}
      </div>
    );
  };
  return (
    <>
      <SourceField
        url={source.url}
        check={check}
        error={fieldError(errors, `${path}/source/url`)}
        onInput={(url) => onChange({ source: { ...source, url: url.trim() } })}
      />
      <div class="pair">
        {trim('in', 'In (s)')}
        {trim('out', 'Out (s)')}
      </div>
    </>
  );
}

const ends = { planned: 'At its planned end', manual: 'By hand', marker: 'By its origin' } as const;
const overruns = { join: 'Are joined in progress', move: 'Move' } as const;

type LiveFieldsProps = PartProps & { readonly source: SourceOf<'live'> };

/** A live origin, and when its programme ends. */
function LiveFields({ source: { live }, path, errors, onChange }: LiveFieldsProps) {
  const at = `${path}/source/live`;
  const set = (changed: { readonly [Name in keyof typeof live]?: (typeof live)[Name] | undefined }) =>
    onChange({ source: { live: withoutUndefined({ ...live, ...changed }) as typeof live } });
  const backups = live.backupManifestUrls ?? [];
  return (
    <>
      <TextField
        label="Origin URL"
        type="url"
        value={live.sourceManifestUrl}
        error={fieldError(errors, `${at}/sourceManifestUrl`)}
        hint="HLS playlist or DASH manifest. The check reads it and compares it with the channel."
        onInput={(url) => set({ sourceManifestUrl: url.trim() })}
      />
      <NumberField
        label="Planned duration (s)"
        value={live.plannedDuration}
        error={fieldError(errors, `${at}/plannedDuration`)}
        hint={live.plannedDuration > 0 ? formatTimecode(live.plannedDuration) : ''}
        onInput={(plannedDuration = Number.NaN) => set({ plannedDuration })}
      />
      <SelectField
        label="Ends"
        value={live.end ?? 'planned'}
        options={toOptions(ends)}
        error={fieldError(errors, `${at}/end`)}
        onChange={(end) => set({ end })}
      />
      {live.end === undefined || live.end === 'planned' ? null : (
        <NumberField
          label="Longest (s)"
          value={live.maxDuration}
          error={fieldError(errors, `${at}/maxDuration`)}
          hint="Empty: 6 hours more than planned."
          onInput={(maxDuration) => set({ maxDuration })}
        />
      )}
      <SelectField
        label="Next programmes"
        value={live.overrun ?? 'join'}
        options={toOptions(overruns)}
        hint="Those whose start has passed when it ends."
        error={fieldError(errors, `${at}/overrun`)}
        onChange={(overrun) => set({ overrun })}
      />
      <ListField
        label="Backup URLs"
        entry="backup URL"
        values={backups}
        error={errorWithin(errors, `${at}/backupManifestUrls`)}
        errorAt={(row) => rowError(errors, `${at}/backupManifestUrls`, backups, row)}
        onChange={(values) => set({ backupManifestUrls: values.length === 0 ? undefined : [...values] })}
      />
    </>
  );
}
