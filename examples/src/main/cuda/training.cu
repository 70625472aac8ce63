// The kernels of the training example: a network of fully connected layers with rectified units, cross entropy of the
// softmax of its scores, gradient descent.
//
// All matrices lie row by row: pictures and activations [picture][unit], weights [input][output]. Every sum is added up
// by one thread in a fixed order and nothing is added atomically, so a step gives the same bits whenever it is
// repeated. Any grid and block will do.
//
// Entry points are looked up by name in training.fatbin, which examples/kernels.sh makes from this file.

#define FOR_EACH(at, n) for (long long at = blockIdx.x * (long long) blockDim.x + threadIdx.x; at < (n); \
    at += (long long) gridDim.x * blockDim.x)

/// y = x w + bias, [batch][outputs]; below zero cut off if rectified.
extern "C" __global__ void training_forward(float *y, const float *x, const float *w, const float *bias, int batch,
    int inputs, int outputs, int rectified)
{
    FOR_EACH(at, (long long) batch * outputs) {
        long long picture = at / outputs;
        int output = (int) (at % outputs);
        float sum = bias[output];
        for (int i = 0; i < inputs; i++) {
            sum += x[picture * inputs + i] * w[(long long) i * outputs + output];
        }
        y[at] = rectified && sum < 0 ? 0 : sum;
    }
}

/// Each picture's loss -log softmax(scores)[label], and its slope by each score: softmax(scores) - [1 at the label].
extern "C" __global__ void training_loss(float *losses, float *slopes, const float *scores, const int *labels,
    int batch, int classes)
{
    FOR_EACH(picture, batch) {
        const float *score = scores + picture * classes;
        float greatest = score[0];
        for (int c = 1; c < classes; c++) {
            greatest = score[c] > greatest ? score[c] : greatest;
        }
        float sum = 0;
        for (int c = 0; c < classes; c++) {
            sum += expf(score[c] - greatest);
        }
        for (int c = 0; c < classes; c++) {
            slopes[picture * classes + c] = expf(score[c] - greatest) / sum - (c == labels[picture] ? 1 : 0);
        }
        losses[picture] = logf(sum) - (score[labels[picture]] - greatest);
    }
}

/// total = the sum of n values, from left to right, by one thread.
extern "C" __global__ void training_sum(float *total, const float *values, int n)
{
    FOR_EACH(at, 1) {
        float sum = 0;
        for (int i = 0; i < n; i++) {
            sum += values[i];
        }
        *total = sum;
    }
}

/// The gradient of w, [inputs][outputs], from the slopes of y, [batch][outputs], and the x that gave y.
extern "C" __global__ void training_weight_gradient(float *gradient, const float *slopes, const float *x, int batch,
    int inputs, int outputs)
{
    FOR_EACH(at, (long long) inputs * outputs) {
        int input = (int) (at / outputs);
        int output = (int) (at % outputs);
        float sum = 0;
        for (long long picture = 0; picture < batch; picture++) {
            sum += x[picture * inputs + input] * slopes[picture * outputs + output];
        }
        gradient[at] = sum;
    }
}

/// The gradient of the bias from the slopes of y, [batch][outputs].
extern "C" __global__ void training_bias_gradient(float *gradient, const float *slopes, int batch, int outputs)
{
    FOR_EACH(output, outputs) {
        float sum = 0;
        for (long long picture = 0; picture < batch; picture++) {
            sum += slopes[picture * outputs + output];
        }
        gradient[output] = sum;
    }
}

/// The slopes of x, [batch][inputs], from those of y = x w; x is the output of rectified units, so its slope is 0
/// where it is.
extern "C" __global__ void training_backward(float *x_slopes, const float *slopes, const float *w, const float *x,
    int batch, int inputs, int outputs)
{
    FOR_EACH(at, (long long) batch * inputs) {
        long long picture = at / inputs;
        long long input = at % inputs;
        float sum = 0;
        for (int o = 0; o < outputs; o++) {
            sum += slopes[picture * outputs + o] * w[input * outputs + o];
        }
        x_slopes[at] = x[at] > 0 ? sum : 0;
    }
}

/// One step down the gradient: parameters -= rate * gradient.
extern "C" __global__ void training_descend(float *parameters, const float *gradient, float rate, int n)
{
    FOR_EACH(at, n) {
        parameters[at] -= rate * gradient[at];
    }
}
