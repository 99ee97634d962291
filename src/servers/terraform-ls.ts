import type { ServerDefinition } from './definition.ts';
import { noNetwork } from './traits.ts';

/** HashiCorp's server for Terraform. It asks the providers of an initialised folder for their schemas. */
export const terraformLs: ServerDefinition = {
  id: 'terraform-ls',
  untested: true,
  extensions: { tf: 'terraform', tfvars: 'terraform-vars' },
  program: {
    sources: [{ kind: 'path', name: 'terraform-ls' }],
    args: ['serve'],
    env: { ...noNetwork, CHECKPOINT_DISABLE: '1' },
  },
  handshake: { initializationOptions: () => ({ ignoreSingleFileWarning: true }) },
  ready: { kind: 'unknown' },
  trust: { runs: 'provider plugins', boundTo: ['**/.terraform.lock.hcl', '**/.terraform/providers/**'] },
  files: { watchAlso: ['.terraform.lock.hcl', '.terraform/modules/modules.json'] },
  install:
    'Install it with `brew install hashicorp/tap/terraform-ls`, or see https://github.com/hashicorp/terraform-ls',
};
