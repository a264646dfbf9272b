{{/* What all pods have in common. */}}
{{- define "castellan.podDefaults" -}}
automountServiceAccountToken: false
# Kubernetes would add variables named after the Service, such as CASTELLAN_PORT, which the service refuses.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
{{- end }}

{{/* Image, variables and rights of a container. */}}
{{- define "castellan.containerDefaults" -}}
image: {{ include "castellan.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
envFrom:
  - secretRef:
      name: {{ required "existingSecret names the Secret with CASTELLAN_MASTER_KEY and DATABASE_URL" .Values.existingSecret | quote }}
env:
  - name: PUBLIC_URL
    value: {{ required "publicUrl is the address by which clients reach the service" .Values.publicUrl | quote }}
  - name: CASTELLAN_METRICS_HOST
    value: 0.0.0.0
  # More pods instead of more processes in one.
  - name: CASTELLAN_WORKERS
    value: '1'
  {{- with .Values.trustedProxies }}
  - name: CASTELLAN_TRUSTED_PROXIES
    value: {{ join "," . | quote }}
  {{- end }}
  {{- if .Values.postgres.enabled }}
  - name: DATABASE_URL
    valueFrom:
      secretKeyRef:
        name: {{ include "castellan.database" . }}-app
        key: uri
  {{- if .Values.postgres.reads }}
  - name: READ_PASSWORD
    valueFrom:
      secretKeyRef:
        name: {{ include "castellan.database" . }}-app
        key: password
  # A Service of the operator, behind which are the standbys alone.
  - name: CASTELLAN_READ_URL
    value: postgres://castellan:$(READ_PASSWORD)@{{ include "castellan.database" . }}-ro:5432/castellan
  {{- end }}
  {{- end }}
  {{- range $name, $value := .Values.env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
{{- end }}
