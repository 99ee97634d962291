import type { ServerDefinition } from './definition.ts';

/** csharp-ls: C# over Roslyn. It loads the first solution that it finds, or the projects, with MSBuild. */
export const csharpLs: ServerDefinition = {
  id: 'csharp-ls',
  untested: true,
  extensions: { cs: 'csharp' },
  program: {
    sources: [{ kind: 'path', name: 'csharp-ls' }],
    args: [],
    env: { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' },
    initializeTimeout: 120_000,
  },
  ready: { kind: 'unknown' },
  trust: {
    runs: 'the MSBuild projects and analyzers',
    boundTo: ['**/*.{sln,slnx,csproj,props,targets}', '**/global.json', '**/{nuget,NuGet}.{config,Config}'],
  },
  files: { writes: ['obj/'] },
  install: 'Install a .NET SDK, then csharp-ls with `dotnet tool install --global csharp-ls`.',
};
