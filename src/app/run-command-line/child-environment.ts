type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What a command that an agent starts is not given: the user's key agent, credentials of forges and registries that could
 * publish, and ours. A command that needs one is run by a person.
 */
const withheld: ReadonlySet<string> = new Set([
  "SSH_AUTH_SOCK",
  "SSH_AGENT_PID",
  "SSH_ASKPASS",
  "GIT_ASKPASS",
  "GITHUB_TOKEN",
  "GH_TOKEN",
  "GITHUB_PAT",
  "GITHUB_ENTERPRISE_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "GITHUB_API_TOKEN",
  "ACTIONS_RUNTIME_TOKEN",
  "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
  "GITLAB_TOKEN",
  "GITLAB_PRIVATE_TOKEN",
  "GITLAB_ACCESS_TOKEN",
  "GL_TOKEN",
  "CI_JOB_TOKEN",
  "CI_JOB_JWT",
  "BITBUCKET_TOKEN",
  "BITBUCKET_APP_PASSWORD",
  "GITEA_TOKEN",
  "FORGEJO_TOKEN",
  "CODEBERG_TOKEN",
  "AZURE_DEVOPS_EXT_PAT",
  "SYSTEM_ACCESSTOKEN",
  "NPM_TOKEN",
  "NODE_AUTH_TOKEN",
  "YARN_NPM_AUTH_TOKEN",
  "CARGO_REGISTRY_TOKEN",
  "TWINE_PASSWORD",
  "UV_PUBLISH_TOKEN",
  "TRUEUP_TOKEN",
  "TRUEUP_TOKEN_FILE",
]);

/** The environment of a command: the caller's, without what is withheld. */
export function childEnvironment(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !withheld.has(name.toUpperCase())));
}
