/** The client library of OAuth 2.0, in a file of its own: it is loaded when a token is asked for. */
export {
  allowInsecureRequests,
  ClientSecretPost,
  clientCredentialsGrantRequest,
  customFetch,
  OperationProcessingError,
  processClientCredentialsResponse,
  ResponseBodyError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'
