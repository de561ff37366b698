// The thread that reads large answers of ad servers, from source: TypeScript needs a loader there. A bundle has its program
// (readAnswers.ts) under this file's name.
import { register } from 'tsx/esm/api';

register();
await import('./readAnswers.ts');
