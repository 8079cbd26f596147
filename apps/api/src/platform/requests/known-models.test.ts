import { describe, expect, test } from 'vitest';
import { refuseUnknownModel } from './known-models.ts';

const open = { id: 'deepseek', name: 'DeepSeek', models: ['deepseek-chat'], unlisted: 'passed-through' } as const;
const closed = { id: 'scripted', name: 'Scripted', models: ['demo'], unlisted: 'refused' } as const;
const known = [open, closed].map((provider) => ({ ...provider, models: [...provider.models] }));

describe('refuseUnknownModel', () => {
  test.each([
    [{}],
    [{ provider: 'scripted', model: 'demo' }],
    [{ provider: 'deepseek', model: 'a-new-one' }],
    [{ model: 'a-new-one' }],
  ])('takes %j', (choice) => {
    expect(() => refuseUnknownModel(choice, known)).not.toThrow();
  });

  test('names what there is instead', () => {
    expect(() => refuseUnknownModel({ provider: 'x' }, known)).toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_PROVIDER',
        message: 'body.provider: no worker has the provider "x"; there are: deepseek, scripted',
      }),
    );
    expect(() => refuseUnknownModel({ provider: 'scripted', model: 'x' }, known)).toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_MODEL',
        message: 'body.model: no provider offers the model "x"; there are: demo',
      }),
    );
  });

  test('knows nothing while no worker lives', () => {
    expect(() => refuseUnknownModel({ provider: 'x', model: 'y' }, [])).not.toThrow();
  });
});
