import type { FieldError } from '../api/apiError.ts';
import type { ChannelForm } from '../logic/channelForm.ts';
import { errorAt, otherErrors } from '../logic/fieldErrors.ts';
import { Choice } from '../parts/Choice.tsx';
import { TextField } from '../parts/TextField.tsx';

type AdSourceFieldsProps = {
  readonly form: ChannelForm;
  readonly errors: readonly FieldError[];
  field(
    name: keyof ChannelForm,
    path: string,
  ): { value: string; error: string | undefined; onInput(value: string): void };
};

const below = (errors: readonly FieldError[], path: string): string | undefined => {
  const inner = otherErrors(errors, [new RegExp(`^(?!${path})`)]);
  return inner.length === 0 ? undefined : inner.join('; ');
};

/** The ad server, and how it is asked. */
export const AdSourceFields = ({ errors, field }: AdSourceFieldsProps) => (
  <>
    <TextField
      label="Ad server"
      type="url"
      {...field('adUrl', '/adSource/url')}
      error={errorAt(errors, '/adSource/url') ?? errorAt(errors, '/adSource')}
      placeholder="https://ads.example.com/vast?len=[BREAK_DURATION]&cb=[CACHEBUSTING]"
      hint="Answers VAST. Macros in brackets are filled for each viewer and break; breaks show slate when it is empty."
    />
    <details>
      <summary>How it is asked</summary>
      <div class="form">
        <div class="pair">
          <Choice
            label="Method"
            value={field('adMethod', '').value}
            options={['GET', 'POST'].map((value) => ({ value, text: value }))}
            error={errorAt(errors, '/adSource/method')}
            onChange={field('adMethod', '').onInput}
          />
          <TextField
            label="Deadline"
            {...field('adTimeout', '/adSource/timeoutMs')}
            hint="Milliseconds, 100 to 10,000; 2,000 when empty."
          />
        </div>
        <div class="pair">
          <TextField
            label="Query parameters"
            rows={3}
            {...field('adParams', '/adSource/params')}
            error={below(errors, '/adSource/params')}
            hint="One a line: name: value"
          />
          <TextField
            label="Request headers"
            rows={3}
            {...field('adHeaders', '/adSource/headers')}
            error={below(errors, '/adSource/headers')}
            hint="One a line: name: value"
          />
        </div>
      </div>
    </details>
  </>
);
